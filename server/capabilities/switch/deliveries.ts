import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import type { AppTier } from '../../resource-names.ts'
import type { ProjectRef, Work } from '../../resources/work.ts'
import { connectFlows, findUnrun, pauseFlows } from '../flow/workflow.ts'
import type { CompiledApp } from '../operator/activate.ts'
import { pointEndpoints } from '../pay/endpoints.ts'
import { connectQueue, findDisconnected, pauseQueue } from '../queue/consumers.ts'
import { pauseSchedules } from '../schedule/pause.ts'

type Reach = Pick<Work, 'platform' | 'cloud' | 'project'>

interface Delivery {
  connect: (work: Work, tier: AppTier, app: CompiledApp | null) => Promise<void>
  pause: (work: Reach, tier: AppTier) => Promise<void>
  /** Returns the reason why Cloudflare does not deliver to the worker of the live app; null when it does. */
  findProblem: (cloud: Cloud, project: ProjectRef) => Promise<string | null>
}

/** The capabilities for which Cloudflare itself starts the app's worker: to consume a queue or to run a workflow. */
const DELIVERY_OF_CAPABILITY: Partial<Record<CapabilityKey, Delivery>> = {
  queue: { connect: connectQueue, pause: pauseQueue, findProblem: findDisconnected },
  flow: { connect: connectFlows, pause: pauseFlows, findProblem: findUnrun },
}

/** Returns the given capabilities that have an entry in `DELIVERY_OF_CAPABILITY`, each with that entry. */
export const deliveriesAmong = (keys: ReadonlySet<string>): { key: string; delivery: Delivery }[] =>
  Object.entries(DELIVERY_OF_CAPABILITY).flatMap(([key, delivery]) =>
    keys.has(key) ? [{ key, delivery }] : [],
  )

/**
 * Makes the deployed worker of a tier the consumer of its queue and the one that runs its workflows. Skips a
 * capability that the deployed version is not bound to (`bound`). `app` is null when the manifest is invalid.
 */
export async function connectDeliveries(
  work: Work,
  tier: AppTier,
  { app, bound }: { app: CompiledApp | null; bound: ReadonlySet<string> },
): Promise<void> {
  for (const { delivery } of deliveriesAmong(bound)) await delivery.connect(work, tier, app)
}

/** Stops deliveries of these capabilities to a tier. Messages stay in the queue, and workflows wait. */
export async function pauseDeliveries(work: Reach, tier: AppTier, keys: ReadonlySet<string>): Promise<void> {
  for (const { delivery } of deliveriesAmong(keys)) await delivery.pause(work, tier)
}

/**
 * Stops everything that calls the app of a tier, except for the capabilities in `kept`: queue messages, workflows,
 * Stripe's events and schedules. They start again when the tier is published. `ensureLive` changes the live worker's
 * binding to the app.
 */
export async function pauseAllExcept(work: Reach, tier: AppTier, kept: ReadonlySet<string>): Promise<void> {
  await pauseDeliveries(work, tier, new Set(CAPABILITY_KEYS).difference(kept))
  if (!kept.has('pay')) await pointEndpoints(work, { resting: tier })
  // Also makes the admin worker list the schedules as paused.
  if (!kept.has('schedule')) await pauseSchedules(work, tier)
}
