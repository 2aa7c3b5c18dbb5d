/**
 * Every capability in the order of the contract; `true` where this version has it. The only list of keys: the service,
 * the grammar of `app.json`, the app's worker and the generated SDK read it.
 */
const CAPABILITIES = {
  auth: true,
  team: true,
  data: true,
  files: true,
  assets: true,
  email: true,
  ai: true,
  pay: true,
  live: true,
  call: true,
  schedule: true,
  queue: true,
  flow: true,
  connect: true,
  hook: true,
  render: true,
  video: true,
  push: true,
  events: true,
  guard: true,
  meter: true,
}

export type CapabilityKey = keyof typeof CAPABILITIES

export const CAPABILITY_KEYS = Object.keys(CAPABILITIES) as CapabilityKey[]

export const isBuilt = (key: CapabilityKey): boolean => CAPABILITIES[key]

/** The keys that this version can enable. */
export const BUILT_KEYS = CAPABILITY_KEYS.filter(isBuilt)
