import { env } from 'cloudflare:workers'
import { requireEnabled } from '../kernel/worker/env.ts'
import { ApiError, invalid, errorText } from '../kernel/errors.ts'
import { manifest } from '../manifest.gen.ts'
import type { FlowName } from '../types.gen.ts'
import { jsonStorableValue } from './json.ts'
import { flowState, hasEnded } from './states.ts'
import type { FlowParams, FlowSignal, FlowStatus } from './types.ts'

export type { FlowState } from './states.ts'
export type { FlowHandler, FlowStatus, FlowStep, Pause, StepOptions } from './types.ts'

interface WorkflowBinding {
  create(options: { id: string; params: FlowParams }): Promise<unknown>
  get(id: string): Promise<{
    status(): Promise<{ status: string; output?: unknown; error?: { message?: string } | null }>
    sendEvent(event: { type: string; payload: unknown }): Promise<void>
    terminate(): Promise<void>
  }>
}

/** Long work in several steps. After any interruption it continues with the next step. */
export interface ServerFlow {
  /** Starts a run and returns its id. Does nothing while a run with this id exists. `input` is JSON of at most 1 MiB. */
  start(name: FlowName, input?: unknown, options?: { id?: string | undefined }): Promise<{ id: string }>
  /** Throws `not_found` for a run that does not exist or was deleted. */
  status(id: string): Promise<FlowStatus>
  /**
   * Sends a signal to a run that waits for it now or later. Throws `not_found` for an unknown run, and `conflict` for a run that has ended.
   */
  signal(id: string, event: string, data?: unknown): Promise<void>
  /** Cancels a run at once. Does nothing when the run has ended. */
  cancel(id: string): Promise<void>
}

export const flow: ServerFlow = {
  async start(name, input, options = {}) {
    const all = flowRuns()
    if (manifest.flows?.some((one) => one.name === name) !== true)
      throw invalid('name', `there is no flow ${name}; app.json declares them`)
    const id = options.id === undefined ? `flow_${crypto.randomUUID().replaceAll('-', '')}` : options.id
    requireName('id', id)
    const params: FlowParams = { v: 1, name, input: jsonStorableValue(input, 'input') }
    try {
      await all.create({ id, params })
    } catch (error) {
      if (!/already.?exists/i.test(errorText(error)))
        throw flowUnavailable('The flow could not be started. Try again.', error)
    }
    return { id }
  },
  async status(id) {
    const { status, output, error } = await readStatus(await findRun(id))
    const state = flowState(status)
    if (state === 'complete') return { status: state, output }
    return state === 'failed' ? { status: state, error: error?.message ?? 'It failed.' } : { status: state }
  },
  async signal(id, event, data) {
    requireName('event', event)
    const payload = jsonStorableValue(data, 'data')
    const run = await findRun(id)
    const requireRunning = async () => {
      if (await isEnded(run)) throw new ApiError('conflict', 'This run has ended.')
    }
    await requireRunning()
    const signal: FlowSignal = { v: 1, id: crypto.randomUUID(), data: payload }
    try {
      await run.sendEvent({ type: event, payload: signal })
    } catch (error) {
      await requireRunning()
      throw flowUnavailable('The signal could not be sent. Try again.', error)
    }
  },
  async cancel(id) {
    const run = await findRun(id)
    try {
      await run.terminate()
    } catch (error) {
      if (!(await isEnded(run))) throw flowUnavailable('The run could not be cancelled. Try again.', error)
    }
  },
}

function flowRuns(): WorkflowBinding {
  requireEnabled('flow')
  return env['FLOW'] as WorkflowBinding
}

type FlowRun = Awaited<ReturnType<WorkflowBinding['get']>>

async function findRun(id: string): Promise<FlowRun> {
  const known = flowRuns()
  requireName('id', id)
  return await readRun(() => known.get(id))
}

const readStatus = (run: FlowRun) => readRun(() => run.status())

const isEnded = async (run: FlowRun): Promise<boolean> => hasEnded(flowState((await readStatus(run)).status))

async function readRun<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!/not.?found/i.test(errorText(error)))
      throw flowUnavailable('The run could not be read. Try again.', error)
    throw new ApiError('not_found', 'There is no such run.')
  }
}

/** Checks Cloudflare's rule for run ids and event names. */
function requireName(field: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/.test(value))
    throw invalid(field, 'must be 1 to 100 letters, digits, _ or -')
}

const flowUnavailable = (message: string, cause: unknown) => new ApiError('unavailable', message, { cause })
