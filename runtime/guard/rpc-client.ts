import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import type { GuardBinding, GuardCalls, GuardFacts } from './types.ts'

/** An isolate keeps the facts for this long. */
const KEPT_MS = 30_000

let kept: { facts: GuardFacts; at: number } | null = null

/** Throws the `ApiError` that the live worker returned. */
export async function callGuard<Kind extends keyof GuardCalls>(
  kind: Kind,
  ask: GuardCalls[Kind]['ask'],
): Promise<GuardCalls[Kind]['answer']> {
  const live: unknown = requireLive('guard')
  return valueIn(await (live as GuardBinding).guard(kind, ask))
}

/** At most half a minute old. */
export async function guardFacts(): Promise<GuardFacts> {
  const now = Date.now()
  if (kept === null || now - kept.at > KEPT_MS) kept = { facts: await callGuard('facts', null), at: now }
  return kept.facts
}
