import * as z from 'zod'
import { newSecret } from '../../../world/ids.ts'
import type { TraceEvent, TraceItem } from '../telemetry/log-events.ts'
import type { PlannedWorker } from '../../runtime/plan.ts'
import { LEVELS, linesSource, UNCAUGHT } from './lines-module.ts'
import { observationOf } from './observation.ts'

/**
 * Lines of workers that keep no invocations come out of the runtime's own output, and so do the exceptions of their
 * handlers. A tail would do as well, but it is told of every invocation, and costs as much as the start of one
 * (measured).
 */

/** One line as a worker wrote it. */
export type Line = TraceItem['logs'][number] & { script: string }

/** An exception that no handler caught, and for what the handler was called. */
export interface Uncaught {
  script: string
  event: TraceEvent
  exception: TraceItem['exceptions'][number]
}

const Thrown = z.tuple([
  z.object({
    event: z.custom<TraceEvent>((value) => typeof value === 'object' && value !== null),
    exception: z.object({ name: z.string(), message: z.string(), stack: z.string() }),
  }),
])

/** What the workers write, and who wrote it: only its own module knows the mark in front of each. */
export class LineMarks {
  readonly #scripts = new Map<string, string>()

  /** The module that marks what a worker writes; null when its lines are not asked for or a tail brings them. */
  moduleFor({ script, content }: PlannedWorker, listening: readonly string[]): string | null {
    if (observationOf(script, content) !== 'lines' || listening.includes(script.name)) return null
    const mark = newSecret('')
    this.#scripts.set(mark, script.name)
    return linesSource(mark)
  }

  /** What a line of the runtime's output says; null when no marked worker wrote it. */
  read({ message, timestamp }: { message: string; timestamp: number }): Line | Uncaught | null {
    const [mark = '', level = '', text = ''] = message.split(' ', 3)
    const script = this.#scripts.get(mark)
    const values = script === undefined ? null : decode(text)
    if (script === undefined || values === null) return null
    if (LEVELS.includes(level)) return { script, level, timestamp, message: values }
    const thrown = level === UNCAUGHT ? Thrown.safeParse(values).data?.[0] : undefined
    if (thrown === undefined) return null
    return { script, event: thrown.event, exception: { ...thrown.exception, timestamp } }
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
