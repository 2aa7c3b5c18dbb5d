import { newSecret } from '../../world/ids.ts'
import type { TraceItem } from '../telemetry/log-events.ts'
import type { PlannedWorker } from '../plan.ts'
import { observationOf } from './observation.ts'

/**
 * Lines of workers that keep no invocations come out of the runtime's own output. A tail would do as well, but it is
 * told of every invocation, and costs as much as the start of one (measured).
 */
export const LINES_MODULE = 'slipway-lines.mjs'

const LEVELS = ['debug', 'error', 'info', 'log', 'warn']

/** One line as a worker wrote it. */
export type Line = TraceItem['logs'][number] & { script: string }

/** The lines a worker writes, and who wrote them: only its own module knows the mark in front of each. */
export class LineMarks {
  readonly #scripts = new Map<string, string>()

  /** The module that marks what a worker writes; null when its lines are not asked for or a tail brings them. */
  moduleFor({ script, content }: PlannedWorker, listening: readonly string[]): string | null {
    if (observationOf(script, content) !== 'lines' || listening.includes(script.name)) return null
    const mark = newSecret('')
    this.#scripts.set(mark, script.name)
    return markingSource(mark)
  }

  /** What a line of the runtime's output says; null when no marked worker wrote it. */
  read({ message, timestamp }: { message: string; timestamp: number }): Line | null {
    const [mark = '', level = '', text = ''] = message.split(' ', 3)
    const script = this.#scripts.get(mark)
    const values = script === undefined || !LEVELS.includes(level) ? null : decode(text)
    return script === undefined || values === null ? null : { script, level, timestamp, message: values }
  }
}

/** Null for what the module does not write: a worker can find out its own mark. */
function decode(text: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(values) ? values : null
  } catch {
    return null
  }
}

// Encoded, because the reader of the output drops lines that look like some of the runtime's own.
const markingSource = (mark: string): string => `
const LINE_MAX = 16384
const shorten = (value) => {
  if (typeof value === 'string') return value.slice(0, LINE_MAX)
  try {
    const json = JSON.stringify(value)
    return json === undefined ? String(value) : json.length > LINE_MAX ? json.slice(0, LINE_MAX) : JSON.parse(json)
  } catch {
    return String(value)
  }
}
for (const level of ${JSON.stringify(LEVELS)}) {
  const write = console[level].bind(console)
  console[level] = (...message) => {
    const text = JSON.stringify(message.map(shorten))
    write(${JSON.stringify(mark)} + ' ' + level + ' ' + encodeURIComponent(text))
  }
}
`
