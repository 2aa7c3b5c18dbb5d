import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { CloudflareError, transientError, unreachable } from '../cloudflare/errors.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { parseJson } from '../lib/json.ts'

const PROBE_MS_MAX = 30_000
const STEP_MS = 50
const STEP_MS_MAX = 1_000

const Health = z.looseObject({ data: z.looseObject({ release: z.string().nullish() }) })

/**
 * Waits until the worker reports that it is healthy and serves this release. After `timeoutMs` throws `upstream` with
 * the last response.
 */
export async function waitUntilHealthy(
  url: string,
  release: string,
  signal: AbortSignal,
  timeoutMs = PROBE_MS_MAX,
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs
  for (let waitMs = STEP_MS; ; waitMs = Math.min(waitMs * 2, STEP_MS_MAX)) {
    const problem = await probe(url, release, signal)
    if (problem === null) return
    if (performance.now() + waitMs > giveUpAt) {
      const message = `The app was deployed but does not come up: GET /_app/health ${problem}`
      throw new CloudflareError('upstream', message, { status: null })
    }
    await sleep(waitMs, undefined, { signal })
  }
}

/** Checks once. Returns null when the worker serves this release, and otherwise what is wrong. */
export async function probe(url: string, release: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, text } = await fetchHealth(url, signal)
    if (status !== 200) return `answers ${status} ${text.slice(0, 200)}`.trim()
    // For a moment after the switch, some of the provider's locations still serve the previous version.
    const served = Health.safeParse(parseJson(text)).data?.data.release
    return served === release ? null : `answers for release ${served ?? 'unknown'}`
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return `gets no answer (${cause instanceof Error ? cause.message : String(cause)})`
  }
}

const Gate = z.looseObject({
  data: z.looseObject({ release: z.string(), gate: z.string().nullish() }),
})

/**
 * Returns the id of the access code that an app requires: null when it requires none, `unknown` when its runtime has no access codes.
 * Throws a retryable `CloudflareError` for an app that is not healthy, because its response does not tell whether it requires a code.
 */
export async function readServedAccessCodeId(url: string, signal: AbortSignal): Promise<string | null> {
  const { status, text } = await fetchHealth(url, signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw unreachable(cause)
  })
  const read = Gate.safeParse(parseJson(text))
  if (status !== 200 || !read.success)
    throw transientError(`The app is not healthy: GET /_app/health answers ${status}.`)
  const { gate } = read.data.data
  return gate === undefined ? 'unknown' : gate
}

async function fetchHealth(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  const response = await cloudFetch(`${url}/_app/health`, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  })
  return { status: response.status, text: await response.text() }
}
