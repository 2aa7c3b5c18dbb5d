import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { ACTIONS } from '../actions.ts'
import type { CapabilityActions } from '../capability-actions.ts'

/** Returns the actions of these capabilities, with their keys, in the order of `CAPABILITY_KEYS`. */
export const actionsOf = (keys: ReadonlySet<string>): (CapabilityActions & { key: CapabilityKey })[] =>
  CAPABILITY_KEYS.filter((key) => keys.has(key)).map((key) => ({ key, ...ACTIONS[key] }))
