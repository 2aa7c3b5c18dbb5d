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
  /** Returns why the account does not call the live app's worker, or null when it does. */
  findProblem: (cloud: Cloud, project: ProjectRef) => Promise<string | null>
}

/** The capabilities for which the account itself calls the app's worker. */
const DELIVERIES: Partial<Record<CapabilityKey, Delivery>> = {
  queue: { connect: connectQueue, pause: pauseQueue, findProblem: findDisconnected },
  flow: { connect: connectFlows, pause: pauseFlows, findProblem: findUnrun },
}

/** Returns the deliveries of those of the given capabilities that have one. */
export const deliveriesAmong = (keys: ReadonlySet<string>): { key: string; delivery: Delivery }[] =>
  Object.entries(DELIVERIES).flatMap(([key, delivery]) => (keys.has(key) ? [{ key, delivery }] : []))

/**
 * Lets the serving worker of a tier consume its queue and run its flows, as far as it has their bindings (`bound`). `app` is null for an
 * invalid manifest.
 */
export async function connectDeliveries(
  work: Work,
  tier: AppTier,
  { app, bound }: { app: CompiledApp | null; bound: ReadonlySet<string> },
): Promise<void> {
  for (const { delivery } of deliveriesAmong(bound)) await delivery.connect(work, tier, app)
}

/** Stops deliveries of these capabilities to a tier. Messages and flows wait. */
export async function pauseDeliveries(work: Reach, tier: AppTier, keys: ReadonlySet<string>): Promise<void> {
  for (const { delivery } of deliveriesAmong(keys)) await delivery.pause(work, tier)
}

/**
 * Stops deliveries of all capabilities other than `kept` to a tier, until it is published again. The binding
 * through which the live worker calls the app is changed elsewhere (`ensureLive`).
 */
export async function pauseAllExcept(work: Reach, tier: AppTier, kept: ReadonlySet<string>): Promise<void> {
  await pauseDeliveries(work, tier, new Set(CAPABILITY_KEYS).difference(kept))
  if (!kept.has('pay')) await pointEndpoints(work, { resting: tier })
  // The schedules stop, and the admin worker lists them as paused.
  if (!kept.has('schedule')) await pauseSchedules(work, tier)
}
