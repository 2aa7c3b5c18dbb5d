import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { invalid } from '../kernel/errors.ts'
import { findHandler } from '../kernel/objects/jobs.ts'
import { logError } from '../kernel/objects/log.ts'
import { manifest } from '../manifest.gen.ts'
import { jsonStorableValue } from './json.ts'
import type { FlowHandler, FlowParams, FlowSignal, FlowStep, StepOptions } from './types.ts'
import { DAY_SECONDS } from '../kernel/durations.ts'

const DEFAULT_RETRIES = 3
const RETRIES_MAX = 20
const TIMEOUT_SECONDS = 600
const TIMEOUT_SECONDS_MAX = 1800
const WAIT_SECONDS = DAY_SECONDS
const WAIT_SECONDS_MAX = 365 * DAY_SECONDS

/**
 * The class of the Cloudflare Workflow. Its binding names this class, so every release must export the class, even a release without flows.
 */
export class AppFlow extends WorkflowEntrypoint {
  async run({ payload }: WorkflowEvent<FlowParams>, step: WorkflowStep): Promise<unknown> {
    const { name, input } = payload
    try {
      return jsonStorableValue(await requireHandler(name)(input, flowSteps(step)), 'output')
    } catch (error) {
      logError(error, { route: `flow ${name}` })
      throw error
    }
  }
}

function requireHandler(name: string): FlowHandler {
  const spec = manifest.flows?.find((one) => one.name === name)
  if (spec === undefined) throw new Error(`app.json declares no flow ${name}`)
  const handler = findHandler(spec.handler)
  if (handler === null)
    throw new Error(`server/jobs/${spec.handler}.ts must exist and export a function as its default`)
  return handler as FlowHandler
}

/** Wraps Cloudflare's workflow steps with the method names and limits of `FlowStep`. */
const flowSteps = (native: WorkflowStep, taken = new Set<string>()): FlowStep => ({
  async do<T>(name: string, ...given: [StepOptions, () => T | Promise<T>] | [() => T | Promise<T>]) {
    const [options, work] = given.length === 1 ? [{}, given[0]] : given
    const retries = requireInRange('retries', options.retries ?? DEFAULT_RETRIES, 0, RETRIES_MAX)
    const seconds = requireInRange(
      'timeoutSeconds',
      options.timeoutSeconds ?? TIMEOUT_SECONDS,
      1,
      TIMEOUT_SECONDS_MAX,
    )
    const config = {
      retries: { limit: retries, delay: 10_000, backoff: 'exponential' as const },
      timeout: seconds * 1000,
    }
    const result = await native.do(name, config, async () => storableResult(name, await work()))
    return result as T
  },
  async sleep(name, { days = 0, hours = 0, minutes = 0, seconds = 0 }) {
    const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    await native.sleep(name, requireInRange('pause', total, 0, WAIT_SECONDS_MAX) * 1000)
  },
  async waitFor<T>(
    event: string,
    { timeoutSeconds = WAIT_SECONDS }: { timeoutSeconds?: number | undefined } = {},
  ) {
    const timeout = requireInRange('timeoutSeconds', timeoutSeconds, 1, WAIT_SECONDS_MAX) * 1000
    for (;;) {
      const signal = await nextSignal(native, event, timeout)
      // Skip a signal that was delivered twice. `taken` starts empty when the handler runs again after a
      // restart, and is filled in the same order, because the same signals are replayed.
      if (signal === null) return null
      if (taken.has(signal.id)) continue
      taken.add(signal.id)
      return signal.data as T
    }
  },
})

/** Waits for the next signal. Returns null when none arrives in time. */
async function nextSignal(native: WorkflowStep, event: string, timeout: number): Promise<FlowSignal | null> {
  try {
    return (await native.waitForEvent(event, { type: event, timeout })).payload as FlowSignal
  } catch (error) {
    if (error instanceof Error && /timed out/i.test(error.message)) return null
    throw error
  }
}

/** Returns the result as it is stored. The error for an invalid result prevents retries, because every further attempt would fail. */
function storableResult(name: string, result: unknown): unknown {
  try {
    return jsonStorableValue(result, `The result of the step ${name}`)
  } catch (error) {
    throw Object.assign(new Error((error as Error).message), { name: 'NonRetryableError' })
  }
}

function requireInRange(field: string, value: number, min: number, max: number): number {
  if (!Number.isFinite(value) || value < min || value > max)
    throw invalid(field, `must be a number from ${min} to ${max}`)
  return value
}
