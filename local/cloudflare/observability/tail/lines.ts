import * as z from 'zod'
import { newSecret } from '../../../world/ids.ts'
import type { TraceEvent, TraceItem } from '../telemetry/log-events.ts'
import type { PlannedWorker } from '../../workerd/plan.ts'
import { CONSOLE_LEVELS, linesSource, UNCAUGHT_LEVEL } from './lines-module.ts'
import { observationOf } from './observation.ts'

/**
 * Reads log lines and uncaught exceptions from the runtime's output, for workers whose invocations are not recorded. A tail worker would
 * get the same data, but the runtime would call it for every invocation, and such a call costs as much as the invocation itself (measured).
 */

export type LogLine = TraceItem['logs'][number] & { script: string }

/** An uncaught exception, with the event that the handler was called for. */
export interface UncaughtException {
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

/** The secret mark of each worker. Only the worker's own module knows it, so the mark shows which worker wrote a line. */
export class LineMarks {
  readonly #scripts = new Map<string, string>()

  /** Returns the module that marks a worker's output; null when the lines are not recorded or a tail worker reports them. */
  moduleFor({ script, content }: PlannedWorker, listening: readonly string[]): string | null {
    if (observationOf(script, content) !== 'lines' || listening.includes(script.name)) return null
    const mark = newSecret('')
    this.#scripts.set(mark, script.name)
    return linesSource(mark)
  }

  /** Parses a line of output. Returns null when no marked worker wrote it. */
  read({ message, timestamp }: { message: string; timestamp: number }): LogLine | UncaughtException | null {
    const [mark = '', level = '', text = ''] = message.split(' ', 3)
    const script = this.#scripts.get(mark)
    const values = script === undefined ? null : decodeValues(text)
    if (script === undefined || values === null) return null
    if (CONSOLE_LEVELS.includes(level)) return { script, level, timestamp, message: values }
    const thrown = level === UNCAUGHT_LEVEL ? Thrown.safeParse(values).data?.[0] : undefined
    if (thrown === undefined) return null
    return { script, event: thrown.event, exception: { ...thrown.exception, timestamp } }
  }
}

/** Returns null for text that `lines-module.ts` did not write: a worker can find out its own mark and print anything with it. */
function decodeValues(text: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(values) ? values : null
  } catch {
    return null
  }
}
