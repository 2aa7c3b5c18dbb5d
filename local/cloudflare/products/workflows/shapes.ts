import type { Context } from 'hono'
import type { InstanceFile } from './instance-files.ts'
import type { WorkflowInstance, LogEntry, WorkflowInstances } from './instances.ts'
import { findWorkflow, type Workflow } from '../../store/workflows.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'

export interface WorkflowsCloud extends Cloud {
  instances: Pick<WorkflowInstances, keyof WorkflowInstances>
}

/** Returns the workflow that the path names, or throws. A name such as `late-3s` hides a new workflow for three seconds. */
export function findWorkflowOrRefuse(cloud: Cloud, c: Context<ApiEnv>): Workflow {
  const workflow = findWorkflow(cloud.store, c.get('account').id, c.req.param('workflow') ?? '')
  const visibilityDelayMs = workflow === null ? 0 : (cloud.faults?.visibilityDelayMs(workflow.name) ?? 0)
  if (workflow === null || (c.req.method === 'GET' && cloud.now() < workflow.createdAt + visibilityDelayMs))
    throw new ApiFailure(404, 10_200, 'workflows.api.error.workflow_not_found')
  return workflow
}

/** Returns a workflow as the API shows it, with the number of its instances by status. */
export function toWorkflow(workflow: Workflow, files: InstanceFile[]): object {
  return { ...toWorkflowSummary(workflow), instances: countStatuses(files) }
}

/** The provider's response to a request that creates or changes a workflow. */
export function toChangedWorkflow(workflow: Workflow): object {
  return {
    ...toWorkflowSummary(workflow),
    version_id: workflow.versionId,
    is_deleted: 0,
    terminator_running: 0,
  }
}

function toWorkflowSummary(workflow: Workflow): object {
  return {
    id: workflow.id,
    name: workflow.name,
    script_name: workflow.scriptName,
    class_name: workflow.className,
    created_on: isoTime(workflow.createdAt),
    modified_on: isoTime(workflow.modifiedAt),
    triggered_on: workflow.triggeredAt === null ? null : isoTime(workflow.triggeredAt),
  }
}

/** Returns the only version of a workflow. Each change of the workflow replaces it. */
export function toVersion(workflow: Workflow): object {
  return {
    id: workflow.versionId,
    workflow_id: workflow.id,
    class_name: workflow.className,
    created_on: isoTime(workflow.modifiedAt),
    modified_on: isoTime(workflow.modifiedAt),
    has_dag: false,
  }
}

function countStatuses(files: InstanceFile[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of files) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The numbers of the event types in the runtime's log of an instance. */
const EVENT_CODES = {
  queued: 0,
  started: 1,
  succeeded: 2,
  failed: 3,
  terminated: 4,
  stepStarted: 5,
  stepSucceeded: 6,
  stepFailed: 7,
  sleepStarted: 8,
  sleepDone: 9,
  attemptStarted: 10,
  attemptSucceeded: 11,
  attemptFailed: 12,
  waitStarted: 14,
  waitDone: 15,
  waitTimedOut: 16,
} as const

const findLastLog = (logs: LogEntry[], ...events: number[]) =>
  logs.findLast(({ event }) => events.includes(event))
const loggedAt = (log: LogEntry | undefined) => log?.timestamp ?? null
const lastEndLog = (logs: LogEntry[]) =>
  findLastLog(logs, EVENT_CODES.succeeded, EVENT_CODES.failed, EVENT_CODES.terminated)

/** Returns an instance as a list shows it: without parameters, result and steps. */
export function toListedInstance(
  workflow: Workflow,
  { id, status, createdOn, logs }: WorkflowInstance,
): object {
  return {
    id,
    workflow_id: workflow.id,
    version_id: workflow.versionId,
    status,
    trigger_source: 'api',
    created_on: createdOn,
    modified_on: logs.at(-1)?.timestamp ?? createdOn,
    started_on: loggedAt(findLastLog(logs, EVENT_CODES.started)),
    ended_on: loggedAt(lastEndLog(logs)),
  }
}

/** Returns an instance with its steps, computed from the runtime's log of it. */
export function toInstance(workflow: Workflow, { status, logs }: WorkflowInstance): object {
  const steps = toSteps(logs)
  const hasEnded = ['complete', 'errored', 'terminated'].includes(status)
  return {
    status,
    versionId: workflow.versionId,
    trigger: { source: 'api' },
    params: findLastLog(logs, EVENT_CODES.queued)?.metadata['params'] ?? null,
    queued: loggedAt(findLastLog(logs, EVENT_CODES.queued)),
    start: loggedAt(findLastLog(logs, EVENT_CODES.started)),
    end: hasEnded ? loggedAt(lastEndLog(logs)) : null,
    success: hasEnded ? status === 'complete' : null,
    output: findLastLog(logs, EVENT_CODES.succeeded)?.metadata['result'] ?? null,
    error: status === 'errored' ? (findLastLog(logs, EVENT_CODES.failed)?.metadata['error'] ?? null) : null,
    rollback: null,
    steps,
    step_count: steps.length,
  }
}

interface WorkflowStep {
  name: string
  type: 'step' | 'sleep' | 'waitForEvent'
  start: string
  end: string | null
  /**
   * `success` is set for `step` entries only, and null while the step runs. `sleep` and `waitForEvent` have
   * `finished` instead.
   */
  success?: boolean | null
  finished?: boolean
  output?: unknown
  error?: object | null
  config?: unknown
  attempts?: { start: string; end: string | null; success: boolean | null; error: unknown }[]
}

/** Returns the state and result of one step. The error of a step that is retried is that of its last failed attempt. */
export function toStepOutput({ success, finished, output, error, attempts }: WorkflowStep): object {
  const isDone = success === true || finished === true
  const hasFailed = success === false || (error ?? null) !== null
  const pending = finished === undefined ? 'running' : 'waiting'
  return {
    status: hasFailed ? 'errored' : isDone ? 'complete' : pending,
    output: isDone ? (output ?? null) : null,
    error: error ?? attempts?.findLast((attempt) => attempt.success === false)?.error ?? null,
  }
}

/** Returns the steps in the log of an instance, in the order in which they began. */
export function toSteps(logs: LogEntry[]): WorkflowStep[] {
  const groups = Map.groupBy(
    logs.filter(({ group }) => group !== null),
    ({ group }) => group,
  )
  return [...groups.values()].flatMap((group) => toStep(group) ?? [])
}

function toStep(logs: LogEntry[]): WorkflowStep | null {
  const name = logs[0]?.target ?? ''
  const started = findLastLog(logs, EVENT_CODES.stepStarted)
  if (started !== undefined) return toDoneStep(name, started, logs)
  const begun = findLastLog(logs, EVENT_CODES.sleepStarted, EVENT_CODES.waitStarted)
  if (begun === undefined) return null
  const end = findLastLog(logs, EVENT_CODES.sleepDone, EVENT_CODES.waitDone, EVENT_CODES.waitTimedOut)
  const isWait = begun.event === EVENT_CODES.waitStarted
  return {
    name,
    type: isWait ? 'waitForEvent' : 'sleep',
    start: begun.timestamp,
    end: loggedAt(end),
    finished: end !== undefined,
    error: end?.event === EVENT_CODES.waitTimedOut ? { name: 'Error', message: 'timed out' } : null,
    ...(isWait ? { output: end?.metadata['payload'] ?? null } : {}),
  }
}

function toDoneStep(name: string, started: LogEntry, logs: LogEntry[]): WorkflowStep {
  const end = findLastLog(logs, EVENT_CODES.stepSucceeded, EVENT_CODES.stepFailed)
  return {
    name,
    type: 'step',
    start: started.timestamp,
    end: loggedAt(end),
    success: end === undefined ? null : end.event === EVENT_CODES.stepSucceeded,
    output: end?.metadata['result'] ?? null,
    config: started.metadata['config'] ?? null,
    attempts: toAttempts(logs),
  }
}

function toAttempts(logs: LogEntry[]): NonNullable<WorkflowStep['attempts']> {
  const ends = logs.filter(
    ({ event }) => event === EVENT_CODES.attemptSucceeded || event === EVENT_CODES.attemptFailed,
  )
  return logs
    .filter(({ event }) => event === EVENT_CODES.attemptStarted)
    .map(({ timestamp, metadata }) => {
      const end = ends.find((one) => one.metadata['attempt'] === metadata['attempt'])
      return {
        start: timestamp,
        end: loggedAt(end),
        success: end === undefined ? null : end.event === EVENT_CODES.attemptSucceeded,
        error: end?.metadata['error'] ?? null,
      }
    })
}
