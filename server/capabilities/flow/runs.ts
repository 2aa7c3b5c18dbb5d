import { FLOW_STATES, flowState, hasEnded } from '@slipway/runtime/flow/states.ts'
import * as z from 'zod'
import type { Cloud } from '../../cloudflare/client.ts'
import {
  findWorkflow,
  listInstances,
  readInstance,
  terminateInstance,
  type WorkflowInstance,
  type WorkflowStep,
} from '../../cloudflare/products/workflows.ts'
import { actorOf } from '../../connections/cloud.ts'
import type { Context } from '../../endpoint.ts'
import { ApiError, conflict, invalid, notFound } from '../../http/errors.ts'
import { workflowName } from '../../resource-names.ts'
import { requireServing } from '../operator/serving.ts'

const State = z.enum(FLOW_STATES)
const Time = z.string().nullable()

export const FlowRunPage = z.object({
  items: z.array(z.object({ id: z.string(), status: State, createdAt: z.string() })),
  nextCursor: z.string().nullable(),
})

const Step = z.object({
  name: z.string(),
  kind: z.enum(['do', 'sleep', 'wait']),
  status: z.enum(['running', 'waiting', 'done', 'failed']),
  startedAt: Time,
  endedAt: Time,
  attempts: z.int().describe('The number of attempts so far; 0 while it waits for its time.'),
  error: z.string().nullable().describe('Why its last attempt failed.'),
})

export const FlowRun = z.object({
  id: z.string(),
  flow: z.string().nullable().describe('Null for a run that the app has not started.'),
  status: State,
  createdAt: Time,
  endedAt: Time,
  error: z.string().nullable(),
  steps: z.array(Step),
})

const PAGE_DEFAULT = 20

export async function listFlowRuns(
  ctx: Context<'accounts'>,
  projectId: string,
  { limit = PAGE_DEFAULT, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<z.output<typeof FlowRunPage>> {
  const page = cursor === undefined ? 1 : pageNumberOf(cursor, limit)
  const { cloud, name } = await openFlows(ctx, projectId)
  const found = await listInstances(cloud, name, { page, limit })
  if (found === null) throw workflowMissing(name)
  return {
    items: found.map(({ id, status, created_on: createdAt }) => ({
      id,
      status: flowState(status),
      createdAt,
    })),
    nextCursor: found.length < limit ? null : `${page + 1}:${limit}`,
  }
}

/** Returns one run with its steps, without the results of the steps, which stay in the app. */
export async function readRun(
  ctx: Context<'accounts'>,
  projectId: string,
  id: string,
): Promise<z.output<typeof FlowRun>> {
  const { cloud, name } = await openFlows(ctx, projectId)
  return toRun(id, await requireInstance(cloud, name, id))
}

/** Ends a run at its current step. Throws `conflict` when the run has already ended. */
export async function cancelRun(
  ctx: Context<'accounts'>,
  projectId: string,
  id: string,
): Promise<z.output<typeof FlowRun>> {
  const { cloud, name } = await openFlows(ctx, projectId)
  const before = await requireInstance(cloud, name, id)
  if (hasEnded(flowState(before.status))) throw conflict('This run has already ended.')
  await terminateInstance(cloud, name, id)
  return toRun(id, await requireInstance(cloud, name, id))
}

async function openFlows(
  ctx: Context<'accounts'>,
  projectId: string,
): Promise<{ cloud: Cloud; name: string }> {
  const project = await requireServing(ctx, projectId, 'flow')
  const cloud = await ctx.accounts.openCloud({
    orgId: project.org_id,
    actor: actorOf(ctx.caller),
    project,
    signal: ctx.signal,
  })
  return { cloud, name: workflowName(project, 'production') }
}

async function requireInstance(cloud: Cloud, name: string, id: string): Promise<WorkflowInstance> {
  const found = await readInstance(cloud, name, id)
  if (found !== null) return found
  if ((await findWorkflow(cloud, name)) === null) throw workflowMissing(name)
  throw notFound('run')
}

const workflowMissing = (name: string): ApiError =>
  new ApiError(
    'upstream_error',
    `The workflow ${name} is missing in the cloud account. Ship the project again.`,
  )

function pageNumberOf(cursor: string, limit: number): number {
  const [, page, of] = /^([1-9]\d{0,5}):([1-9]\d{0,2})$/.exec(cursor) ?? []
  if (page === undefined || Number(of) !== limit) throw invalid('cursor', 'is not a cursor of this list')
  return Number(page)
}

const Params = z.object({ name: z.string() })

function toRun(id: string, { status, params, queued, end, error, steps }: WorkflowInstance) {
  const state = flowState(status)
  const shown = steps.map((step) => toStep(step, hasEnded(state)))
  return {
    id,
    flow: Params.safeParse(params).data?.name ?? null,
    // The provider reports `running` even while a run sleeps or waits for a signal.
    status: state === 'running' && isWaiting(shown) ? 'waiting' : state,
    createdAt: queued ?? null,
    endedAt: end ?? null,
    error: state === 'failed' ? (error?.message ?? null) : null,
    steps: shown,
  }
}

/** Returns whether a step waits while no other step is running. */
const isWaiting = (steps: z.output<typeof Step>[]): boolean =>
  steps.some(({ status }) => status === 'waiting') && !steps.some(({ status }) => status === 'running')

function toStep(step: WorkflowStep, isOver: boolean): z.output<typeof Step> {
  const { type, start, end, success, finished, attempts, error } = step
  const kind = type === 'step' ? 'do' : type === 'sleep' ? 'sleep' : 'wait'
  const failure = error ?? attempts?.findLast((attempt) => attempt.error != null)?.error ?? null
  const isDone = success === true || (finished === true && failure === null)
  // The provider does not mark the step in which a run was ended, so this step counts as failed.
  const hasFailed = success === false || (finished === true && failure !== null) || (isOver && !isDone)
  return {
    // The provider appends the number of the attempt to the name of a step.
    name: step.name.replace(/-\d+$/, ''),
    kind,
    status: isDone ? 'done' : hasFailed ? 'failed' : kind === 'do' ? 'running' : 'waiting',
    startedAt: start ?? null,
    endedAt: end ?? null,
    attempts: attempts?.length ?? 0,
    error: isDone ? null : (failure?.message ?? null),
  }
}
