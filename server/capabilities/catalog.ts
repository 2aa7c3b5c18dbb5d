import { ai } from './ai/declaration.ts'
import { assets } from './assets/declaration.ts'
import { auth } from './auth/declaration.ts'
import { call } from './call/declaration.ts'
import { type Capability, CAPABILITY_KEYS, type CapabilityKey } from './capability.ts'
import { connect } from './connect/declaration.ts'
import { data } from './data/declaration.ts'
import { email } from './email/declaration.ts'
import { events } from './events/declaration.ts'
import { files } from './files/declaration.ts'
import { flow } from './flow/declaration.ts'
import { guard } from './guard/declaration.ts'
import { hook } from './hook/declaration.ts'
import { live } from './live/declaration.ts'
import { meter } from './meter/declaration.ts'
import { pay } from './pay/declaration.ts'
import { push } from './push/declaration.ts'
import { queue } from './queue/declaration.ts'
import { render } from './render/declaration.ts'
import { schedule } from './schedule/declaration.ts'
import { team } from './team/declaration.ts'
import { video } from './video/declaration.ts'

const CATALOG: Record<CapabilityKey, Capability> = {
  auth,
  team,
  data,
  files,
  assets,
  email,
  ai,
  pay,
  live,
  call,
  schedule,
  queue,
  flow,
  connect,
  hook,
  render,
  video,
  push,
  events,
  guard,
  meter,
}

/** Whether this is the key of a capability. */
export const isCapabilityKey = (key: string): key is CapabilityKey =>
  (CAPABILITY_KEYS as readonly string[]).includes(key)

/** Returns the declaration of a key. */
export const capabilityOf = (key: CapabilityKey): Capability => CATALOG[key]

/** Returns the declarations of these keys in the order of the contract. */
export const capabilitiesOf = (keys: ReadonlySet<string>): Capability[] =>
  CAPABILITY_KEYS.filter((key) => keys.has(key)).map(capabilityOf)
