import { createHash } from 'node:crypto'

/** The phases of a check, in the order of a report. */
export const PHASES = [
  'manifest',
  'paths',
  'secrets',
  'bundle',
  'types',
  'lint',
  'boot',
  'tests',
  'pages',
] as const
export type Phase = (typeof PHASES)[number]

/** One fault in an app's tree. Lines and columns count from 1; line 0 means the whole file. */
export interface CheckError {
  phase: Phase
  file: string
  line: number
  column: number
  code: string
  message: string
  excerpt: string
}

export interface PhaseResult {
  name: string
  ok: boolean
  ms: number
  errors: CheckError[]
  /** Warnings are shown to the model and do not fail the check. */
  warnings?: CheckError[]
}

/**
 * The result of a check. `ok` is false when a phase has an error; phases that could not run
 * are missing from `checks`.
 */
export interface CheckReport {
  ok: boolean
  checks: PhaseResult[]
  /** What the app printed while it was booted and tested. */
  logs?: string[]
  /** Says why the pages were not opened in a browser. */
  note?: string
  pictures?: Picture[]
}

export interface Picture {
  page: string
  width: number
  mediaType: 'image/jpeg'
  bytes: Uint8Array
}

const ERRORS_PER_PHASE = 20
const TEXT_BYTES_MAX = 12_000

/** Returns the report as the model reads it: one line per phase, then the errors, at most 12 kB. */
export function describeReport(report: CheckReport): string {
  const head = report.checks.map((c) => `${c.ok ? 'ok ' : 'RED'} ${c.name} (${Math.round(c.ms)} ms)`)
  // Without a browser the phase `pages` does not run, and `note` says why.
  const missing = PHASES.filter(
    (phase) =>
      !report.checks.some(({ name }) => name === phase) && (phase !== 'pages' || report.note === undefined),
  )
  const lines = [
    report.ok ? 'The check is green.' : 'The check is red.',
    ...head,
    ...(report.ok || missing.length === 0
      ? []
      : [`not run, because what is red comes first: ${missing.join(', ')}`]),
    ...(report.note === undefined ? [] : [report.note]),
  ]
  let bytes = Buffer.byteLength(lines.join('\n'))
  for (const check of report.checks) {
    const items = [
      ...check.errors.map((error) => checkErrorText(error, 'error')),
      ...(check.warnings ?? []).map((warning) => checkErrorText(warning, 'warning')),
    ]
    const room = TEXT_BYTES_MAX - bytes - 200
    const { shown, used } = fitIntoBytes(items.slice(0, ERRORS_PER_PHASE), room)
    bytes += used
    lines.push(...shown)
    const left = items.length - shown.length
    if (left > 0) {
      const more = `and ${left} more in ${check.name}`
      bytes += more.length + 1
      lines.push(more)
    }
  }
  return lines.join('\n')
}

/**
 * Returns a hash that is equal for two failed checks with the same errors. A build that repeats the same errors too often is stopped.
 * Numbers do not count, because an edit that only moves an error to another line fixes nothing.
 */
export function errorSignature(report: CheckReport): string {
  const parts = report.checks
    .flatMap((check) => check.errors)
    .map((e) => `${e.phase}|${e.file}|${e.code}|${e.message.replace(/\d+/g, '')}`)
  return createHash('sha256').update(parts.sort().join('\n')).digest('hex').slice(0, 32)
}

/** Returns the line of an error between its neighboring lines. Empty for line 0 and for a missing file. */
export function excerptOf(text: string | undefined, line: number): string {
  if (text === undefined || line < 1) return ''
  const lines = text.split('\n')
  const from = Math.max(0, line - 2)
  return lines
    .slice(from, line + 1)
    .map((content, i) => `${from + i + 1} | ${content.slice(0, 200)}`)
    .join('\n')
}

/** Returns an error about one place in the tree, with the excerpt cut from the file. */
export function errorAt(
  tree: ReadonlyMap<string, string>,
  at: { phase: Phase; file: string; line?: number; column?: number; code: string; message: string },
): CheckError {
  const line = at.line ?? 0
  const excerpt = excerptOf(tree.get(at.file), line)
  return { ...at, line, column: at.column ?? 0, message: at.message.slice(0, 1000), excerpt }
}

function checkErrorText(error: CheckError, severity: string): string {
  const place = error.line > 0 ? `${error.file}:${error.line}:${error.column}` : error.file
  const text = `[${error.phase}] ${place} ${severity} ${error.code}: ${error.message}`
  return error.excerpt === '' ? text : `${text}\n${error.excerpt}`
}

function fitIntoBytes(items: string[], bytesMax: number): { shown: string[]; used: number } {
  const shown: string[] = []
  let used = 0
  for (const item of items) {
    const size = Buffer.byteLength(item) + 1
    if (used + size > bytesMax) break
    shown.push(item)
    used += size
  }
  return { shown, used }
}

export interface CheckFindings {
  errors: CheckError[]
  warnings?: CheckError[]
}

/** Collects the results of phases that may run in parallel, and returns the results in the order of `PHASES`. */
export class Phases {
  readonly #results = new Map<Phase, PhaseResult>()

  get isRed(): boolean {
    return [...this.#results.values()].some((result) => !result.ok)
  }

  /** Runs one phase and measures its time. The phase fails when it found an error. Rejects only on a fault of the service. */
  async run<F extends CheckFindings>(name: Phase, phase: () => F | Promise<F>): Promise<F> {
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

const PHASE_SUMMARIES: Record<Phase, string> = {
  manifest: 'the description of the app contradicts itself',
  paths: 'files lie where an app may not have any, or are too large',
  secrets: 'a password or key stands in the source',
  bundle: 'the parts cannot be put together',
  types: 'some parts do not fit together',
  lint: 'the code has mistakes that would break it',
  boot: 'the app does not start, or a page fails',
  tests: 'its own tests fail',
  pages: 'a page fails in a browser, or keeps people out',
}
const NAME_CHARS_MAX = 80

/** Returns why a check failed, as part of a sentence for users, without error codes or file positions. */
export function describeFailedChecks(report: CheckReport): string {
  const red = report.checks.filter((check) => !check.ok)
  return [...new Set(red.map(({ name, errors }) => phaseReason(name as Phase, errors)))].join('; ')
}

function phaseReason(phase: Phase, errors: CheckError[]): string {
  const [first] = errors
  if (phase === 'tests' && first?.code === 'test_failed') return `its test “${testName(first)}” fails`
  if (first?.code === 'timeout') return 'something in it runs without end, or the machine is busy'
  if (first?.code === 'memory' || first?.code === 'killed') return 'it uses up the memory'
  return PHASE_SUMMARIES[phase]
}

/** The message of a failed test is its name, a colon and the failure. */
const testName = ({ message }: CheckError) => (message.split(': ')[0] ?? '').slice(0, NAME_CHARS_MAX)
