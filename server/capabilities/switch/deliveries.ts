import type { Cloud } from '../../cloudflare/client.ts'
import type { AppTier } from '../../resource-names.ts'
import type { ProjectRef, Work } from '../../resources/work.ts'
import { connectFlows, findUnrun, pauseFlows } from '../flow/workflow.ts'
import type { CompiledApp } from '../operator/activate.ts'
import { pointEndpoints } from '../pay/endpoints.ts'
import { connectQueue, findDisconnected, pauseQueue } from '../queue/consumers.ts'
import { pauseSchedules } from '../schedule/pause.ts'

type Reach = Pick<Work, 'platform' | 'cloud' | 'project'>

/**
 * Lets the serving worker of a tier consume its queue and run its flows, as far as it has their bindings (`bound`). `app` is null for an
 * invalid manifest.
 */
export async function connectDeliveries(
  work: Work,
  tier: AppTier,
  { app, bound }: { app: CompiledApp | null; bound: ReadonlySet<string> },
): Promise<void> {
  if (bound.has('queue')) await connectQueue(work, tier, app)
  if (bound.has('flow')) await connectFlows(work, tier)
}

/** Stops deliveries of these capabilities to a tier. Messages and flows wait. */
export async function pauseDeliveries(work: Reach, tier: AppTier, keys: ReadonlySet<string>): Promise<void> {
  if (keys.has('queue')) await pauseQueue(work, tier)
  if (keys.has('flow')) await pauseFlows(work, tier)
}

/**
 * Stops deliveries of all capabilities other than `kept` to a tier, until it is published again. The binding
 * through which the live worker calls the app is changed elsewhere (`ensureLive`).
 */
export async function pauseAllExcept(work: Reach, tier: AppTier, kept: ReadonlySet<string>): Promise<void> {
  if (!kept.has('queue')) await pauseQueue(work, tier)
  if (!kept.has('flow')) await pauseFlows(work, tier)
  if (!kept.has('pay')) await pointEndpoints(work, { resting: tier })
  // The schedules stop, and the admin worker lists them as paused.
  if (!kept.has('schedule')) await pauseSchedules(work, tier)
}

/** Returns why the account does not call the live app's worker for `queue` or `flow`, or null when it does. */
export const findUndelivered = (cloud: Cloud, project: ProjectRef, key: string): Promise<string | null> =>
  key === 'flow' ? findUnrun(cloud, project) : findDisconnected(cloud, project)
