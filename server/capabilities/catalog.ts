import { type Capability, CAPABILITY_KEYS, type CapabilityKey } from './capability.ts'
import { data } from './data.ts'

const BUILT = new Map<CapabilityKey, Capability>([data].map((one) => [one.key, one]))

/** Whether this is one of the twenty-one keys. */
export const isCapabilityKey = (key: string): key is CapabilityKey =>
  (CAPABILITY_KEYS as readonly string[]).includes(key)

/** The declaration behind a key, or null for one this version does not have yet. */
export const capabilityOf = (key: CapabilityKey): Capability | null => BUILT.get(key) ?? null

/** Whether the project's object class is needed by any of these. */
export function needsObject(enabled: ReadonlySet<string>): boolean {
  return [...BUILT.values()].some(
    (one) =>
      enabled.has(one.key) && one.resources({ slug: '' }).some(({ kind }) => kind === 'object_namespace'),
  )
}
