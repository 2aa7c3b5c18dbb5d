import { respondWithFault } from './faults.ts'
import type { LocalModel } from './models.ts'
import { type ScriptStep, unmetExpectation } from './script.ts'
import { type ChatRequest, respondWithTurn, errorBody } from './wire.ts'

/** A recorded request, so that tests can assert what was sent and how often. */
export interface RecordedCall {
  at: number
  step: number | null
  problem: string | null
  request: ChatRequest
}

interface RunningScript {
  steps: ScriptStep[]
  next: number
  calls: RecordedCall[]
}

/** Scripts by API key, so that tests can run in parallel with one server. */
export class Scripts {
  readonly #scripts = new Map<string, RunningScript>()

  put(key: string, steps: ScriptStep[]): void {
    this.#scripts.set(key, { steps, next: 0, calls: [] })
  }

  calls(key: string): RecordedCall[] {
    return this.#scripts.get(key)?.calls ?? []
  }

  /** Records a request. Returns the script step that responds to it, or the reason for an error response. */
  take(key: string, request: ChatRequest): { step: ScriptStep } | { problem: string } {
    const script = this.#scripts.get(key)
    if (script === undefined) return { problem: 'There is no script under this key.' }
    const at = script.next
    const step = script.steps[at]
    const problem =
      step === undefined
        ? `The script has ${script.steps.length} steps and this is request ${at + 1}.`
        : unmetExpectation(request, step.expect ?? {})
    script.calls.push({ at: Date.now(), step: step === undefined ? null : at, problem, request })
    if (step !== undefined && step.repeat !== true) script.next += 1
    return step === undefined || problem !== null ? { problem: problem ?? '' } : { step }
  }
}

/** Returns a model that follows the script of a test, faults included. */
export function scriptedModel(scripts: Scripts): LocalModel {
  return {
    id: 'scripted',
    async respond(request, { key, signal }) {
      const taken = scripts.take(key, request)
      if ('problem' in taken) {
        return Response.json(errorBody(taken.problem, 'invalid_request_error', 'script'), { status: 400 })
      }
      const { step } = taken
      if (step.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.delayMs))
      return step.fault === undefined
        ? respondWithTurn(request, step)
        : respondWithFault(request, step, step.fault, signal)
    },
  }
}
