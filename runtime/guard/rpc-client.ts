import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import type { GuardBinding, GuardCalls, GuardFacts } from './types.ts'

/** How long an isolate keeps what it was told. */
const KEPT_MS = 30_000

let kept: { facts: GuardFacts; at: number } | null = null

/** Calls the live worker about bots and floods. Throws its refusals. */
export async function callGuard<Kind extends keyof GuardCalls>(
  kind: Kind,
  ask: GuardCalls[Kind]['ask'],
): Promise<GuardCalls[Kind]['answer']> {
  const live: unknown = requireLive('guard')
  return valueIn(await (live as GuardBinding).guard(kind, ask))
}

/** Returns what is protected, at most half a minute old. */
export async function guardFacts(): Promise<GuardFacts> {
  const now = Date.now()
  if (kept === null || now - kept.at > KEPT_MS) kept = { facts: await callGuard('facts', null), at: now }
  return kept.facts
}
