import { ai } from './ai.ts'
import { assets } from './assets.ts'
import { auth } from './auth.ts'
import { call } from './call.ts'
import { type Capability, CAPABILITY_KEYS, type CapabilityKey } from './capability.ts'
import { connect } from './connect.ts'
import { data } from './data.ts'
import { email } from './email.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { flow } from './flow.ts'
import { guard } from './guard.ts'
import { hook } from './hook.ts'
import { live } from './live.ts'
import { meter } from './meter.ts'
import { pay } from './pay.ts'
import { push } from './push.ts'
import { queue } from './queue.ts'
import { render } from './render.ts'
import { schedule } from './schedule.ts'
import { team } from './team.ts'
import { video } from './video.ts'

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

/** Whether this is one of the twenty-one keys. */
export const isCapabilityKey = (key: string): key is CapabilityKey =>
  (CAPABILITY_KEYS as readonly string[]).includes(key)

/** The declaration behind a key. */
export const capabilityOf = (key: CapabilityKey): Capability => CATALOG[key]

/** The declarations behind stored keys, in the spec's order. */
export const capabilitiesOf = (keys: ReadonlySet<string>): Capability[] =>
  CAPABILITY_KEYS.filter((key) => keys.has(key)).map(capabilityOf)

/** Whether the project's object class is needed by any of these. */
export const needsObject = (enabled: ReadonlySet<string>): boolean =>
  capabilitiesOf(enabled).some((one) =>
    one.resources({ slug: '' }).some(({ kind }) => kind === 'object_namespace'),
  )
