import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilitiesOf } from '../../capability-catalog/catalog.ts'
import type { AccountWorkerParts } from '../../capability-declaration/capability.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { AppTier } from '../../resource-names.ts'
import type { ProjectRef, ResourceWork } from '../../resources/work.ts'
import { ACTIONS } from '../actions.ts'
import type { CapabilityActions, ResourceAccess, Trigger } from '../capability-actions.ts'
import type { CompiledApp } from '../operator/activate.ts'

/** Returns the actions of these capabilities, with their keys, in the order of `CAPABILITY_KEYS`. */
export const actionsOf = (keys: ReadonlySet<string>): (CapabilityActions & { key: CapabilityKey })[] =>
  CAPABILITY_KEYS.filter((key) => keys.has(key)).map((key) => ({ key, ...ACTIONS[key] }))

/** Returns the triggers of these capabilities. Capabilities without a trigger are left out. */
export const triggersOf = (keys: ReadonlySet<string>): { key: CapabilityKey; trigger: Trigger }[] =>
  actionsOf(keys).flatMap(({ key, trigger }) => (trigger === undefined ? [] : [{ key, trigger }]))

/** Connects the triggers of the capabilities (`bound`) that a tier's serving version is bound to. `app` is null for an invalid manifest. */
export async function connectTriggers(
  work: ResourceWork,
  tier: AppTier,
  { app, bound }: { app: CompiledApp | null; bound: ReadonlySet<string> },
): Promise<void> {
  for (const { trigger } of triggersOf(bound)) await trigger.startCalls(work, tier, app)
}

/** Pauses the triggers of these capabilities for a tier. Messages and workflow runs wait until the triggers are connected again. */
export async function pauseTriggers(
  work: ResourceAccess,
  tier: AppTier,
  keys: ReadonlySet<string>,
): Promise<void> {
  for (const { trigger } of triggersOf(keys)) await trigger.pauseCalls(work, tier)
}

/**
 * Stops all capabilities except `kept` from calling a tier until the tier is published again. `ensureLive` changes the binding through
 * which the live worker calls the app.
 */
export async function pauseAllExcept(
  work: ResourceAccess,
  tier: AppTier,
  kept: ReadonlySet<string>,
): Promise<void> {
  const paused = new Set<string>(CAPABILITY_KEYS).difference(kept)
  await pauseTriggers(work, tier, paused)
  for (const { whenStopped } of actionsOf(paused)) await whenStopped?.(work, tier)
}

/**
 * Returns the values for the live worker that differ by cloud account: email addresses, the key of the Turnstile
 * widget, limits, the AI model.
 */
export async function readLiveInAccount(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  { accountId, enabled }: { accountId: string; enabled: ReadonlySet<string> },
): Promise<AccountWorkerParts> {
  const all = await Promise.all(
    actionsOf(enabled).map(
      async ({ readLive }) =>
        (await readLive?.(platform, project, accountId)) ?? { variables: {}, bindings: [] },
    ),
  )
  return {
    variables: Object.assign({}, ...all.map(({ variables }) => variables)),
    bindings: [
      ...all.flatMap(({ bindings }) => bindings),
      ...capabilitiesOf(enabled).flatMap(({ liveBindings }) => liveBindings),
    ],
  }
}
