/**
 * The only list of capabilities, in the order in which the API returns them. The service, the schema of
 * `app.json`, the worker of an app and the generated SDK use it.
 */
const CAPABILITY_KEY_LIST = [
  'auth',
  'team',
  'data',
  'files',
  'assets',
  'email',
  'ai',
  'pay',
  'live',
  'call',
  'schedule',
  'queue',
  'flow',
  'connect',
  'hook',
  'render',
  'video',
  'push',
  'events',
  'guard',
  'meter',
] as const

export type CapabilityKey = (typeof CAPABILITY_KEY_LIST)[number]

export const CAPABILITY_KEYS: CapabilityKey[] = [...CAPABILITY_KEY_LIST]
