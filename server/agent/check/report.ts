import { createHash } from 'node:crypto'

/** The phases of a check, in the order they are reported. */
export const PHASES = ['manifest', 'paths', 'secrets', 'bundle', 'types', 'lint', 'boot', 'tests'] as const
export type Phase = (typeof PHASES)[number]

/** One thing wrong with an app's tree. Lines and columns count from 1; 0 means the whole file. */
export interface CheckError {
  phase: Phase
  file: string
  line: number
  column: number
  code: string
  message: string
  /** The line and its neighbours, at most three lines. */
  excerpt: string
}

export interface PhaseResult {
  name: string
  ok: boolean
  ms: number
  errors: CheckError[]
  /** Told to the model, but they do not turn the check red. */
  warnings?: CheckError[]
}

export interface CheckReport {
  ok: boolean
  checks: PhaseResult[]
  /** What the app printed while it was booted and tested. */
  logs?: string[]
}

const ERRORS_PER_PHASE = 20
const TEXT_BYTES_MAX = 12_000

/** The report as the model reads it: one line per phase, then the errors, at most 12 kB. */
export function describeReport(report: CheckReport): string {
  const head = report.checks.map((c) => `${c.ok ? 'ok ' : 'RED'} ${c.name} (${Math.round(c.ms)} ms)`)
  const lines = [report.ok ? 'The check is green.' : 'The check is red.', ...head]
  let bytes = Buffer.byteLength(lines.join('\n'))
  for (const check of report.checks) {
    const items = [
      ...check.errors.map((error) => describeError(error, 'error')),
      ...(check.warnings ?? []).map((warning) => describeError(warning, 'warning')),
    ]
    const room = TEXT_BYTES_MAX - bytes - 200
    const { shown, used } = takeWithin(items.slice(0, ERRORS_PER_PHASE), room)
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
 * What makes two red checks "the same": the loop's brake compares it. Numbers are left out, because an edit
 * that moves an error down two lines has not changed anything.
 */
export function errorSignature(report: CheckReport): string {
  const parts = report.checks
    .flatMap((check) => check.errors)
    .map((e) => `${e.phase}|${e.file}|${e.code}|${e.message.replace(/\d+/g, '')}`)
  return createHash('sha256').update(parts.sort().join('\n')).digest('hex').slice(0, 32)
}

/** The line an error points at with one neighbour on each side. */
export function excerptOf(text: string | undefined, line: number): string {
  if (text === undefined || line < 1) return ''
  const lines = text.split('\n')
  const from = Math.max(0, line - 2)
  return lines
    .slice(from, line + 1)
    .map((content, i) => `${from + i + 1} | ${content.slice(0, 200)}`)
    .join('\n')
}

/** Makes an error about one place in the tree; the excerpt is cut from the file itself. */
export function errorAt(
  tree: ReadonlyMap<string, string>,
  at: { phase: Phase; file: string; line?: number; column?: number; code: string; message: string },
): CheckError {
  const line = at.line ?? 0
  const excerpt = excerptOf(tree.get(at.file), line)
  return { ...at, line, column: at.column ?? 0, message: at.message.slice(0, 1000), excerpt }
}

function describeError(error: CheckError, severity: string): string {
  const place = error.line > 0 ? `${error.file}:${error.line}:${error.column}` : error.file
  const text = `[${error.phase}] ${place} ${severity} ${error.code}: ${error.message}`
  return error.excerpt === '' ? text : `${text}\n${error.excerpt}`
}

function takeWithin(items: string[], bytesMax: number): { shown: string[]; used: number } {
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
