import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { AppTier } from '../../resource-names.ts'
import type { Work } from '../../resources/work.ts'
import type { Reach, Trigger } from '../capability-actions.ts'
import type { CompiledApp } from '../operator/activate.ts'
import { actionsOf } from './actions-of.ts'

/** Returns the triggers of those of the given capabilities that have one. */
export const triggersOf = (keys: ReadonlySet<string>): { key: CapabilityKey; trigger: Trigger }[] =>
  actionsOf(keys).flatMap(({ key, trigger }) => (trigger === undefined ? [] : [{ key, trigger }]))

/** Connects the triggers whose bindings the serving version of a tier has (`bound`). `app` is null for an invalid manifest. */
export async function connectTriggers(
  work: Work,
  tier: AppTier,
  { app, bound }: { app: CompiledApp | null; bound: ReadonlySet<string> },
): Promise<void> {
  for (const { trigger } of triggersOf(bound)) await trigger.startCalls(work, tier, app)
}

/** Pauses the triggers of these capabilities for a tier. Messages and flows wait. */
export async function pauseTriggers(work: Reach, tier: AppTier, keys: ReadonlySet<string>): Promise<void> {
  for (const { trigger } of triggersOf(keys)) await trigger.pauseCalls(work, tier)
}

/**
 * Stops all capabilities other than `kept` from calling a tier, until it is published again. The binding through which the live worker
 * calls the app is changed elsewhere (`ensureLive`).
 */
export async function pauseAllExcept(work: Reach, tier: AppTier, kept: ReadonlySet<string>): Promise<void> {
  const paused = new Set<string>(CAPABILITY_KEYS).difference(kept)
  await pauseTriggers(work, tier, paused)
  for (const { whenStopped } of actionsOf(paused)) await whenStopped?.(work, tier)
}
