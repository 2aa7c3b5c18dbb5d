import { type CheckReport, describeFailedChecks, errorSignature } from '../check-report.ts'
import type { Failure } from '../frames.ts'
import type { ModelStep } from './transcript.ts'
import { type CallUsage, addUsage, budgetTokens } from '../model/usage.ts'

export interface RunLimits {
  steps: number
  tokens: number
  minutes: number
}

export const DEFAULT_LIMITS: RunLimits = { steps: 60, tokens: 1_500_000, minutes: 15 }

const RED_CHECKS_MAX = 8
const SAME_ERROR_HINT = 3
const SAME_ERROR_MAX = 4
const SAME_CALL_WARNING = 3
const SAME_CALL_MAX = 5
const INVALID_CALLS_MAX = 5
const STEPS_LEFT_WARNING = 10

export const CONTEXT_FULL_FAILURE: Failure = {
  kind: 'context_limit',
  message: 'The conversation no longer fits the model’s window.',
}

/** The finding of `RunGuard`. `failure` ends the run; `note` is added to the model's next input; null: no limit is near or reached. */
export type GuardVerdict = { failure: Failure } | { note: string } | null

/**
 * Enforces the limits of one run and counts signs of no progress. Rebuilt from the transcript after a restart, so a crash resets
 * only the count of identical calls.
 */
export class RunGuard {
  readonly #limits: RunLimits
  readonly #elapsedMs: () => number
  readonly #signatures = new Map<string, number>()
  readonly #calls = new Map<string, number>()
  #checks = 0
  #redChecks = 0
  #invalidInRow = 0
  /** The step of the first of the invalid calls that `#invalidInRow` counts. */
  #invalidSinceStep = 0
  #step = 0
  #spent: CallUsage

  constructor(options: { limits: RunLimits; elapsedMs: () => number; steps: ModelStep[]; spent: CallUsage }) {
    this.#limits = options.limits
    this.#elapsedMs = options.elapsedMs
    this.#spent = options.spent
    for (const step of options.steps) {
      this.#step = step.n
      for (const result of step.results) {
        if (result.name === 'check' || result.name === 'finish') this.#checks += 1
        if (result.signature !== null) this.#countFailedCheck(result.signature)
        this.#countInvalid(result.code)
      }
    }
  }

  get spent(): CallUsage {
    return this.#spent
  }

  nextCheck(): number {
    this.#checks += 1
    return this.#checks
  }

  countUsage(usage: CallUsage): void {
    this.#spent = addUsage(this.#spent, usage)
  }

  /** Called before a model call. Ends the run at a limit, or returns a note for the model shortly before a limit. */
  beforeCall(next: { step: number; promptTokens: number; windowTokens: number }): GuardVerdict {
    this.#step = next.step
    if (next.step > this.#limits.steps) {
      return {
        failure: {
          kind: 'step_limit',
          message: `The agent did not finish within ${this.#limits.steps} steps.`,
        },
      }
    }
    const spent = this.beforeTry(next.promptTokens)
    if (spent !== null) return spent
    if (next.promptTokens > next.windowTokens * 0.95) {
      return { failure: CONTEXT_FULL_FAILURE }
    }
    if (next.step === this.#limits.steps) {
      return { note: 'This was your last step. Say in a few words what is done and what is missing.' }
    }
    if (this.#limits.steps - next.step === STEPS_LEFT_WARNING) {
      return { note: `${STEPS_LEFT_WARNING} steps remain. Bring what you have begun to an end that holds.` }
    }
    return null
  }

  /** Called before every attempt of a model call, because retries also spend tokens and time. */
  beforeTry(promptTokens: number): { failure: Failure } | null {
    const late = this.beforeTool()
    if (late !== null) return late
    if (budgetTokens(this.#spent) + promptTokens > this.#limits.tokens) {
      return {
        failure: { kind: 'budget', message: `The agent used all of its ${this.#limits.tokens} tokens.` },
      }
    }
    return null
  }

  /** Called before every tool call, because one model call can return a hundred tool calls. */
  beforeTool(): { failure: Failure } | null {
    return this.timeLeftMs < 0 ? { failure: this.timeLimit } : null
  }

  /** Milliseconds until the time limit; negative after it. */
  get timeLeftMs(): number {
    return this.#limits.minutes * 60_000 - this.#elapsedMs()
  }

  get timeLimit(): Failure {
    return { kind: 'time_limit', message: `The agent took more than ${this.#limits.minutes} minutes.` }
  }

  isLastStep(step: number): boolean {
    return step >= this.#limits.steps
  }

  /** The same call on the same tree can only have the same result, so repetitions count as no progress. */
  onCall(name: string, args: unknown, treeHash: string): GuardVerdict {
    const key = `${name}\0${JSON.stringify(args)}\0${treeHash}`
    const count = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, count)
    if (count >= SAME_CALL_MAX) {
      return { failure: { kind: 'stuck', message: `The agent made the same call (${name}) ${count} times.` } }
    }
    if (count < SAME_CALL_WARNING) return null
    return { note: 'You made this call before, with the same result. Do something else.' }
  }

  /**
   * Called after every tool result. `code` is the error code of an invalid or failed call; null for a success. Ends the run after too many
   * invalid calls in a row, but never in the step of the first one, because the model has not read its error yet.
   */
  onResult(code: string | null): GuardVerdict {
    this.#countInvalid(code)
    if (this.#invalidInRow < INVALID_CALLS_MAX || this.#invalidSinceStep === this.#step) return null
    const message = `The model made ${this.#invalidInRow} invalid tool calls in a row; it does not seem to call tools.`
    return { failure: { kind: 'model_error', message } }
  }

  onCheck(report: CheckReport): GuardVerdict {
    if (report.ok) return null
    const same = this.#countFailedCheck(errorSignature(report))
    if (this.#redChecks >= RED_CHECKS_MAX) {
      const message = `The agent tried ${this.#redChecks} times and the app still does not work: ${describeFailedChecks(report)}.`
      return { failure: { kind: 'check_failed', message } }
    }
    if (same >= SAME_ERROR_MAX) {
      return {
        failure: {
          kind: 'stuck',
          message: `The agent did not solve one problem in ${same} attempts: ${describeFailedChecks(report)}.`,
        },
      }
    }
    if (same < SAME_ERROR_HINT) return null
    return { note: 'The same errors again. Take a different approach, or revert that part.' }
  }

  #countFailedCheck(signature: string): number {
    this.#redChecks += 1
    const count = (this.#signatures.get(signature) ?? 0) + 1
    this.#signatures.set(signature, count)
    return count
  }

  #countInvalid(code: string | null): void {
    const isInvalid = code === 'invalid_arguments' || code === 'unknown_tool'
    if (isInvalid && this.#invalidInRow === 0) this.#invalidSinceStep = this.#step
    this.#invalidInRow = isInvalid ? this.#invalidInRow + 1 : 0
  }
}
