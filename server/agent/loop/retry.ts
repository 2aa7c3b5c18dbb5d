import { setTimeout as sleep } from 'node:timers/promises'
import { type ModelFailure, toModelFailure } from '../model/failure.ts'

// A provider that asks for a longer pause than this has said no for now.
const RETRY_AFTER_MS_MAX = 120_000
const WAITS_MS = [1_000, 4_000, 10_000]
const TRIES = 3

export interface RetryOptions {
  signal: AbortSignal
  onRetry(retry: { waitMs: number; reason: string }): Promise<void>
  /** Waits between tries; tests shorten them. */
  waitsMs?: readonly number[] | undefined
}

/** Tries a model call up to three times; what comes out is its answer or a `ModelFailure`. */
export async function withRetries<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (options.signal.aborted) throw error
      const failure = toModelFailure(error)
      const waitMs = waitBefore(failure, attempt, options.waitsMs ?? WAITS_MS)
      if (waitMs === null) throw failure
      await options.onRetry({ waitMs, reason: failure.message })
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted())
    }
  }
}

function waitBefore(failure: ModelFailure, attempt: number, waitsMs: readonly number[]): number | null {
  if (!failure.isRetryable || attempt >= TRIES) return null
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs <= RETRY_AFTER_MS_MAX ? Math.ceil(failure.retryAfterMs) : null
  }
  const base = waitsMs[attempt - 1] ?? 0
  return Math.round(base * (0.75 + Math.random() * 0.5))
}
