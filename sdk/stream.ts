import { backoffMs } from './backoff.ts'
import { ConnectionError, SlipwayError } from './errors.ts'
import { type EventStreamOptions, readEvents, StreamInterruptedError } from './event-stream.ts'
import type { ErrorFrame, SequencedFrame } from './frames.ts'
import { sleep } from './request.ts'

/** A reader's position: the run that it follows, and the number of the last frame that it has. */
export interface StreamPosition {
  run: string
  after: number
}

export interface BuildStreamOptions extends Omit<EventStreamOptions, 'onAccepted'> {
  /** The request that starts a build (`{}`, or answers to its questions), or the position to resume from. */
  body: { answers?: { id: string; value: string | string[] }[] } | StreamPosition
  /**
   * Returns the id of the ticket's latest run. Called when the start of a build got no response, because the build may have begun
   * nevertheless.
   */
  findRun?: () => Promise<string | null>
  /** Called with `true` when the connection is lost, and with `false` when frames arrive again. */
  onWaiting?: (waiting: boolean) => void
  /** The number of attempts in a row without a frame before the reader throws; 20 by default. */
  maxTries?: number
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Follows a build to its end. Yields each frame exactly once and in order, over as many connections as needed. Never repeats a start whose
 * response was lost, because that could begin a second build.
 */
export async function* readBuildStream(options: BuildStreamOptions): AsyncGenerator<SequencedFrame> {
  const { signal, maxTries = 20, wait = sleep } = options
  const knownRun = await findRunBefore(options)
  let position: StreamPosition | null = 'run' in options.body ? options.body : null
  let tries = 0
  let isWaiting = false
  const setWaiting = (waiting: boolean) => {
    if (waiting !== isWaiting) options.onWaiting?.(waiting)
    isWaiting = waiting
  }

  for (;;) {
    try {
      for await (const frame of readEvents<SequencedFrame>(options, position ?? options.body)) {
        if (frame.type === 'error' && frame.seq === undefined) throw failureOfConnection(frame)
        const step = positionAfter(position, frame)
        if (step === 'gap') throw new StreamInterruptedError('a frame is missing')
        if (step === 'seen') continue
        tries = 0
        setWaiting(false)
        position = step
        yield frame
        if (frame.type === 'done' || frame.type === 'error') return
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SlipwayError && isFinal(error, position !== null)) throw error
    }
    setWaiting(true)
    tries += 1
    if (tries > maxTries) throw new ConnectionError('The stream of this build could not be reached.')
    await wait(backoffMs(tries - 1, 0.5), signal)
    position ??= await findCreatedRun(options, knownRun)
  }
}

/**
 * Returns the error of an `error` frame without a number. The service sends such a frame before it ends the connection, for example when
 * its database is unavailable. The build may continue, so a retryable error is handled as a lost connection.
 */
function failureOfConnection({ kind, message, retryable }: ErrorFrame): Error {
  return retryable
    ? new StreamInterruptedError(message)
    : new SlipwayError(message, { code: kind, status: 200 })
}

/** Returns the ticket's latest run before the start, so that a new one can be recognised. */
async function findRunBefore(options: BuildStreamOptions): Promise<string | null> {
  if ('run' in options.body || !options.findRun) return null
  return options.findRun()
}

/**
 * Returns the start of the run that was created although the request to start it got no response. Throws when
 * the ticket has no new run, and when `findRun` fails.
 */
async function findCreatedRun(options: BuildStreamOptions, knownRun: string | null): Promise<StreamPosition> {
  const run = await options.findRun?.()
  if (run === undefined)
    throw new ConnectionError('The service did not respond. It is not known whether a build was started.')
  if (run === null || run === knownRun)
    throw new ConnectionError('The service did not respond. No build was started.')
  return { run, after: 0 }
}

/**
 * Whether to throw instead of reconnecting. A lost connection, a 408, a 429 and a 5xx are retried, any other
 * error is final. Before the first frame of a newly started build every error response is final.
 */
function isFinal(error: SlipwayError, hasPosition: boolean): boolean {
  if (error.status === 0) return false
  if (!hasPosition) return true
  return error.status < 500 && error.status !== 408 && error.status !== 429
}

/** Returns the position after a frame. `seen`: the reader has the frame already. `gap`: a frame before it is missing. */
function positionAfter(
  position: StreamPosition | null,
  frame: SequencedFrame,
): StreamPosition | null | 'seen' | 'gap' {
  if (frame.type === 'run') {
    if (frame.run === position?.run && position.after >= (frame.seq ?? 1)) return 'seen'
    return { run: frame.run, after: frame.seq ?? 1 }
  }
  if (frame.type === 'snapshot') return { run: frame.run, after: frame.seq }
  if (frame.seq === undefined || position === null) return position
  if (frame.seq <= position.after) return 'seen'
  if (frame.seq > position.after + 1) return 'gap'
  return { run: position.run, after: frame.seq }
}
