import { CAPABILITIES, type CapabilityMetadata, type CapabilityKey } from '@slipway/sdk/capabilities.gen.ts'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import type { StateTone } from '../../ui/page/state-dot.tsx'
import { entryOf } from '../../lib/fields.ts'

interface ListedCapability {
  key: CapabilityKey
  enabled: boolean
  provision: { state: 'creating' | 'idle' | 'error' }
}

export const metadataOf = (key: string): CapabilityMetadata | undefined => entryOf(CAPABILITIES, key)

export function capabilityState({ enabled, provision }: Pick<ListedCapability, 'enabled' | 'provision'>): {
  tone: StateTone
  word: string
} {
  const { states } = capabilitiesText
  if (provision.state === 'error') return { tone: 'bad', word: states.error }
  if (enabled && provision.state === 'creating') return { tone: 'busy', word: states.creating }
  if (enabled) return { tone: 'good', word: states.on }
  return { tone: 'quiet', word: states.off }
}

/**
 * Returns the disabled capabilities that are switched on together with `key`: its transitive dependencies.
 */
export function requiredTitles(key: CapabilityKey, enabled: ReadonlySet<string>): string[] {
  const more = new Set<string>()
  const add = (one: string) => {
    for (const needed of metadataOf(one)?.needs ?? []) {
      if (enabled.has(needed) || more.has(needed)) continue
      more.add(needed)
      add(needed)
    }
  }
  add(key)
  return titlesOf(more)
}

/**
 * Returns the enabled capabilities that depend on `key`, also indirectly, and are switched off together with
 * it.
 */
export function dependentTitles(key: CapabilityKey, enabled: ReadonlySet<string>): string[] {
  const lost = new Set<string>([key])
  const needsLost = (one: string) =>
    !lost.has(one) && metadataOf(one)?.needs.some((needed) => lost.has(needed))
  for (let found = [...enabled].find(needsLost); found; found = [...enabled].find(needsLost)) lost.add(found)
  lost.delete(key)
  return titlesOf(lost)
}

export const titlesOf = (keys: Iterable<string>): string[] =>
  [...keys].map((one) => metadataOf(one)?.title ?? one)

/** True when a secret is stored. The API returns only this fact, for example as `hasStripeKey` for `stripeKey`. */
export const hasSecret = (capability: Capability, name: string): boolean =>
  capability[`has${name.charAt(0).toUpperCase()}${name.slice(1)}`] === true
