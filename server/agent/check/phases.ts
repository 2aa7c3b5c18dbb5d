import { type CheckError, type CheckReport, type Phase, PHASES, type PhaseResult } from './report.ts'

export interface Found {
  errors: CheckError[]
  warnings?: CheckError[]
}

/** Collects the results of one check's phases, which may run side by side, in their fixed order. */
export class Phases {
  readonly #results = new Map<Phase, PhaseResult>()

  get isRed(): boolean {
    return [...this.#results.values()].some((result) => !result.ok)
  }

  /** Runs one phase and takes its time; a phase is red when it found an error. */
  async run<F extends Found>(name: Phase, phase: () => F | Promise<F>): Promise<F> {
    const startedAt = performance.now()
    const found = await phase()
    const { errors, warnings = [] } = found
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    this.#results.set(name, {
      name,
      ok: errors.length === 0,
      ms,
      errors,
      ...(warnings.length > 0 && { warnings }),
    })
    return found
  }

  report(logs: string[]): CheckReport {
    const checks = PHASES.flatMap((phase) => this.#results.get(phase) ?? [])
    return { ok: !this.isRed, checks, logs }
  }
}
