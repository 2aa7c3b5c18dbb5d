import * as z from 'zod'
import type { Log } from '../../../world/log.ts'
import type { Store } from '../../../world/store.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { AppUnavailableError, type GroupFinder, WaitRefusedError } from '../../workerd/groups.ts'
import { WORKFLOWS_WORKER } from '../../workerd/plan.ts'
import { fetchWorker } from '../../workerd/worker-socket.ts'
import {
  type InstanceFile,
  listInstanceFiles,
  listInterruptedInstances,
  storeResumingInstances,
  removeInstanceFiles,
} from './instance-files.ts'
import { listGroupWorkflows, type Workflow } from '../../store/workflows.ts'

const Status = z.enum([
  'queued',
  'running',
  'paused',
  'errored',
  'terminated',
  'complete',
  'waitingForPause',
  'waiting',
  'unknown',
])

const LogEntry = z.object({
  timestamp: z.string(),
  event: z.number(),
  group: z.string().nullable(),
  target: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
})
const WorkflowInstance = z.object({
  id: z.string(),
  status: Status,
  createdOn: z.string(),
  logs: z.array(LogEntry),
})
const Removed = z.object({
  deleted: z.array(z.object({ id: z.string() })),
  errors: z.array(z.object({ id: z.string(), code: z.number(), message: z.string() })),
})
export type LogEntry = z.output<typeof LogEntry>
export type WorkflowInstance = z.output<typeof WorkflowInstance>

export type InstanceChange = 'pause' | 'resume' | 'terminate' | 'restart'

/** Workflow instances, accessed through the process that runs them. */
export class WorkflowInstances {
  readonly #apps: GroupFinder

  constructor(apps: GroupFinder) {
    this.#apps = apps
  }

  create(workflow: Workflow, input: { id: string | undefined; params: unknown }): Promise<WorkflowInstance> {
    return this.#callWorker(workflow, 'create', input, WorkflowInstance)
  }

  read(workflow: Workflow, id: string): Promise<WorkflowInstance> {
    return this.#callWorker(workflow, 'read', { id }, WorkflowInstance)
  }

  change(workflow: Workflow, id: string, to: InstanceChange, options?: object): Promise<WorkflowInstance> {
    return this.#callWorker(workflow, 'change', { id, to, options }, WorkflowInstance)
  }

  async sendEvent(workflow: Workflow, id: string, type: string, payload: unknown): Promise<void> {
    await this.#callWorker(workflow, 'event', { id, type, payload }, z.object({}))
  }

  /** Deletes instances permanently. Returns which were deleted and which did not exist. */
  remove(workflow: Workflow, ids: string[]): Promise<z.output<typeof Removed>> {
    return this.#callWorker(workflow, 'remove', { ids }, Removed)
  }

  /** Lists instances, newest first, without starting a process. */
  list(workflow: Workflow): InstanceFile[] {
    return listInstanceFiles(this.#stateDirOf(workflow), workflow.id)
  }

  async describe(workflow: Workflow, files: InstanceFile[]): Promise<WorkflowInstance[]> {
    if (files.length === 0) return []
    const objectIds = files.map(({ objectId }) => objectId)
    return this.#callWorker(workflow, 'list', { objectIds }, z.array(WorkflowInstance))
  }

  /** Deletes a deleted workflow's instances once no process has them open. */
  async deleteAll(workflow: Workflow): Promise<void> {
    await this.#apps.group(workflow.groupId, workflow.accountId).waitForRestart()
    removeInstanceFiles(this.#stateDirOf(workflow), workflow.id)
  }

  #stateDirOf({ accountId, groupId }: Workflow): string {
    return this.#apps.stateDir(accountId, groupId)
  }

  async #callWorker<T>(workflow: Workflow, what: string, body: object, answer: z.ZodType<T>): Promise<T> {
    const group = this.#apps.group(workflow.groupId, workflow.accountId)
    const rethrowAsUnavailable = (error: unknown): never => {
      if (!(error instanceof AppUnavailableError) && !(error instanceof WaitRefusedError)) throw error
      throw new ApiFailure(503, 10_001, `Workflow ${workflow.name} cannot run now: ${error.message}.`)
    }
    await group.enter(WORKFLOWS_WORKER).catch(rethrowAsUnavailable)
    try {
      return await callWorkflows(await group.socket(WORKFLOWS_WORKER), workflow, what, body, answer)
    } catch (error) {
      return rethrowAsUnavailable(error)
    } finally {
      group.leave()
    }
  }
}

/** Resumes active instances in a new process, because the previous process's timers are lost. */
export async function resumeInstances(
  { store, log }: { store: Store; log: Log },
  group: { id: string },
  at: { socket: string | undefined; stateDir: string },
): Promise<void> {
  for (const workflow of listGroupWorkflows(store, group.id)) {
    const objectIds = listInterruptedInstances(at.stateDir, workflow.id)
    if (objectIds.length === 0 || at.socket === undefined) continue
    storeResumingInstances(at.stateDir, workflow.id, objectIds)
    const Problems = z.object({ problems: z.array(z.string()) })
    const { problems } = await callWorkflows(
      at.socket,
      workflow,
      'resumeAfterRestart',
      { objectIds },
      Problems,
    )
    storeResumingInstances(at.stateDir, workflow.id, [])
    for (const problem of problems)
      log.warn('a workflow instance was not taken up', { workflow: workflow.name, problem })
  }
}

async function callWorkflows<T>(
  socket: string,
  workflow: Workflow,
  what: string,
  body: object,
  answer: z.ZodType<T>,
): Promise<T> {
  const response = await fetchWorker(socket, `/${workflow.id}/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
  }).catch(() => {
    throw new AppUnavailableError('its process has ended', 1)
  })
  const found: unknown = await response.json()
  if (response.status === 400) throw toFailure(z.object({ message: z.string() }).parse(found).message)
  return answer.parse(found)
}

function toFailure(message: string): ApiFailure {
  if (message.includes('instance.not_found'))
    return new ApiFailure(404, 10_202, 'workflows.api.error.instance_not_found')
  if (message.includes('already exists')) return new ApiFailure(409, 10_201, message)
  return new ApiFailure(400, 10_001, message)
}
