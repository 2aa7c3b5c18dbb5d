import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { GuardCalls, GuardWorkerSettings } from './types.ts'

/** How long an isolate caches the guard's settings. */
const CACHE_MS = 30_000

let cachedFacts: { facts: GuardWorkerSettings; at: number } | null = null

/** Calls the live worker, which has the Durable Objects, by RPC. Throws the `ApiError` that the live worker returns. */
export async function callGuard<Kind extends keyof GuardCalls>(
  kind: Kind,
  ask: GuardCalls[Kind]['ask'],
): Promise<GuardCalls[Kind]['answer']> {
  const live = requireLive('guard')
  return unwrapResult(await live.guard(kind, ask))
}

/** Returns the guard's settings, at most half a minute old. */
export async function guardSettings(): Promise<GuardWorkerSettings> {
  const now = Date.now()
  if (cachedFacts === null || now - cachedFacts.at > CACHE_MS)
    cachedFacts = { facts: await callGuard('facts', null), at: now }
  return cachedFacts.facts
}
