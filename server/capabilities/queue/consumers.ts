import * as z from 'zod'
import type { Cloud } from '../../cloudflare/client.ts'
import { ensureQueue, findQueue, putConsumer, removeConsumers } from '../../cloudflare/products/queues.ts'
import { readServing } from '../../cloudflare/products/workers.ts'
import { appName, type AppTier, type NamedProject } from '../../resource-names.ts'
import { latestDeployment } from '../../deployments/store.ts'
import type { CompiledApp } from '../operator/activate.ts'
import { findResource, resourceKey, settleResource } from '../../resources/registry.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { deadJobsName, jobsName, mostRetries, QueueDeclaration, QueueSettings } from './declaration.ts'

const Declared = z.looseObject({ queues: z.array(QueueDeclaration).default([]) })

/** Makes the app's worker of a tier the consumer of the tier's queue. The worker must already serve a version. Idempotent. */
export async function connectQueue(
  work: ResourceWork,
  tier: AppTier,
  app: CompiledApp | null,
): Promise<void> {
  const { platform, cloud, project } = work
  if (!(await queueExists(work, tier))) return
  const queue = await findQueue(cloud, jobsName(project, tier))
  if (queue === null) return
  const stored = await readStoredSettings(platform.db, project.id, 'queue')
  const settings = parseSettings(QueueSettings, stored)
  const { queues } = Declared.parse(app?.manifest ?? {})
  await putConsumer(cloud, queue, {
    script: appName(project, tier),
    deadLetterQueue: deadJobsName(project, tier),
    settings: {
      batch_size: settings.batchSize,
      max_retries: mostRetries(queues, settings),
      max_wait_time_ms: settings.maxWaitSeconds * 1000,
      retry_delay: settings.retryDelaySeconds,
      max_concurrency: settings.concurrency,
    },
  })
}

/** Stops the delivery of a tier's messages. The messages stay in the queue until the app is shipped again. */
export async function pauseQueue(
  work: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
  tier: AppTier,
): Promise<void> {
  const { cloud, project } = work
  if (!(await queueExists(work, tier))) return
  const queue = await findQueue(cloud, jobsName(project, tier))
  if (queue !== null) await removeConsumers(cloud, queue)
}

/** Returns the reason why the app's worker does not consume the live app's queue; null when it does. */
export async function disconnectedReason(cloud: Cloud, project: NamedProject): Promise<string | null> {
  const name = jobsName(project, 'production')
  const queue = await findQueue(cloud, name)
  const script = appName(project, 'production')
  const isTaken = queue?.consumers?.some((one) => (one.script_name ?? one.script) === script) === true
  return isTaken ? null : `No worker takes the messages of ${name}. Ship the project to connect it again.`
}

/**
 * Creates a queue. If the queue's tier is live already, because the queue was deleted outside Slipway, connects the
 * app's worker to the new queue.
 */
export async function makeQueue(
  work: ResourceWork<'keyring' | 'releases'>,
  row: RegisteredResource,
): Promise<void> {
  const { platform, cloud, project } = work
  const { queue_id: providerId } = await ensureQueue(cloud, row.name, row)
  await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId })
  for (const tier of ['production', 'preview'] as const) {
    if (row.name !== jobsName(project, tier)) continue
    if ((await latestDeployment(platform.db, project, tier, ['live'])) === null) continue
    // If the app's worker was also deleted, publishing the worker again connects the queue.
    if ((await readServing(cloud, appName(project, tier))) === null) continue
    await platform.releases.connectTriggers(work, tier)
  }
}

/** Returns whether the registry has the queue. A project that never had the capability has no queue. Does not call the provider. */
async function queueExists(
  { platform, cloud, project }: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
  tier: AppTier,
) {
  const row = { account_id: cloud.accountId, kind: 'queue' as const, name: jobsName(project, tier) }
  return (await findResource(platform.db, resourceKey(project, row))) !== null
}
