import { transact } from '../db/database.ts'
import { toApiError } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { releaseHold } from '../relocation/copy-project-data.ts'
import { readMove } from '../moves/moves.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { retryWhileUnreachable } from '../resources/retry.ts'
import { deployKind } from '../deployments/job-kinds.ts'
import { runDeployment } from './run-deployment.ts'
import { failDeployment } from './outcome.ts'
import { rollBack } from './rollback.ts'
import { type Deployment, readDeployment } from '../deployments/store.ts'
import { failOffline, takeOffline } from './take-offline.ts'
import { reconcile } from '../resources/reconcile.ts'
import { destroyResource } from '../resources/remove.ts'
import { failTask, readTask, type ResourceTask } from '../resources/task-store.ts'
import { runTask } from '../resources/tasks.ts'
import type { MakingPorts, ResourceWork } from '../resources/work.ts'

type TaskPorts = MakingPorts | 'capabilities' | 'buckets'

const TASK_RUNNERS: Readonly<
  Record<ResourceTask['kind'], (work: ResourceWork<TaskPorts>, task: ResourceTask) => Promise<void>>
> = {
  rollback: rollBack,
  remove: destroyResource,
  reconcile,
}

interface DeployAttempt {
  attempt: number
  signal: AbortSignal
}

/**
 * Changes the app and the resources of a project in its account, one change after the other: publishes a stored
 * deployment, takes one offline, or runs a stored task (a rollback, the removal of a resource, a reconciliation). Every
 * step is idempotent, because a job whose process died runs again.
 */
export const deployJob = defineJob({
  ...deployKind,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 8,
  run: async (platform: PlatformPorts<TaskPorts | 'jobs'>, { data, attempt, signal }) => {
    if ('taskId' in data) {
      const task = await readTask(platform.db, data.orgId, data.taskId)
      if (task?.status === 'going') await doTask(platform, task, signal)
      return
    }
    const deployment = await readDeployment(platform.db, data.orgId, data.deploymentId)
    if (deployment?.status === 'deploying') await shipDeployment(platform, deployment, { attempt, signal })
    // Only the job that archives a project has an actor. Any other job for a live deployment is a duplicate with nothing left to do.
    if (deployment?.status === 'live' && data.actor !== undefined) {
      const by = { actor: data.actor, signal }
      await runOrStoreFailure(platform, signal, () => takeOffline(platform, deployment, by), {
        what: deployment.id,
        fail: (error) => failOffline(platform, deployment, error.message),
      })
    }
  },
  abandon: async (platform, data) => {
    const reason = 'Something went wrong on our side. Try again.'
    if ('taskId' in data) {
      const task = await readTask(platform.db, data.orgId, data.taskId)
      if (task !== null) await failTask(platform, task, { code: 'server_error', message: reason })
      return
    }
    const deployment = await readDeployment(platform.db, data.orgId, data.deploymentId)
    if (deployment === null) return
    await (data.actor === undefined ? failDeployment : failOffline)(platform, deployment, reason)
  },
})

/** Runs a stored deployment. The id of the deployment is the tag of the uploaded version, so that a later attempt finds the version. */
async function shipDeployment(
  platform: ResourceWork<MakingPorts | 'jobs'>['platform'],
  deployment: Deployment,
  { attempt, signal }: DeployAttempt,
): Promise<void> {
  const ship = async (repeat: number) => {
    // Reads the row again, because the previous attempt may have stored the id of its version.
    const noted = repeat === 0 ? null : await readDeployment(platform.db, deployment.org_id, deployment.id)
    const isContinued = attempt > 1 || repeat > 0
    const done = await runDeployment(platform, noted ?? deployment, { isContinued, signal })
    if (done === 'more') await continueLater(platform, deployment)
  }
  await runOrStoreFailure(platform, signal, () => retryWhileUnreachable(signal, ship), {
    what: deployment.id,
    fail: async (error) => {
      await failDeployment(platform, deployment, error.message)
      if (deployment.tier === 'production') await releaseApp(platform, deployment, signal)
    },
  })
}

/** Sends another job for the same deployment, because a copy of the app's data may take longer than the maximum run time of one job. */
const continueLater = (
  platform: PlatformPorts<'jobs'>,
  { org_id: orgId, project_id: projectId, id }: Deployment,
): Promise<void> =>
  transact(platform.db, (trx) => platform.jobs.send(trx, deployKind, { orgId, projectId, deploymentId: id }))

/** Lets an app accept changes again after a failed move. A failed call is retried after a minute. */
async function releaseApp(
  platform: PlatformPorts<'accounts'>,
  deployment: Deployment,
  signal: AbortSignal,
): Promise<void> {
  const move = await readMove(platform.db, { id: deployment.project_id, org_id: deployment.org_id })
  if (move?.state === 'waiting' && move.is_held) await releaseHold(platform, move, signal)
}

const doTask = (
  platform: ResourceWork<TaskPorts>['platform'],
  task: ResourceTask,
  signal: AbortSignal,
): Promise<void> =>
  runOrStoreFailure(platform, signal, () => runTask(platform, task, signal, TASK_RUNNERS[task.kind]), {
    what: task.id,
    fail: (error) => failTask(platform, task, error),
  })

/** Stores a `ProviderError` or an `ApiError` as the result. Any other error fails the job, which is then retried. */
async function runOrStoreFailure(
  platform: Core,
  signal: AbortSignal,
  work: () => Promise<void>,
  outcome: { what: string; fail: (error: ApiError) => Promise<void> },
): Promise<void> {
  try {
    await work()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    platform.log.warn({ err: error, id: outcome.what }, 'a change in the account failed')
    await outcome.fail(toApiError(error))
  }
}
