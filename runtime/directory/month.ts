import { ApiError } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { directoryOf, type Objects } from '../kernel/objects/objects.ts'

/** A budget per calendar month in UTC. */
interface MonthBudget {
  key: 'ai' | 'render' | 'video'
  monthly: number
}

export interface MonthSpend {
  /** The month as YYYY-MM. */
  month: string
  used: number
  monthly: number
}

/**
 * Production and preview are paid from the same account, so the production directory counts the use of both.
 */
const budgetsOf = (objects: Objects) => directoryOf(objects, 'production')

/** Reserves an amount of this month's budget, for ten minutes or `keptMs`. Throws `rate_limited` when less is left. */
export async function reserveOfMonth(
  objects: Objects,
  { key, monthly }: MonthBudget,
  { amount, refusal, keptMs }: { amount: number; refusal: string; keptMs?: number },
): Promise<string> {
  const claim = { key, window: 'month' as const, limit: monthly, amount }
  const reserved = await budgetsOf(objects).budget('reserve', {
    claim,
    ...(keptMs !== undefined && { keptMs }),
  })
  if (reserved.ok) return reserved.id
  const from = new Date(reserved.retryAtMs).toISOString().slice(0, 10)
  throw new ApiError('rate_limited', `${refusal} More is available from ${from}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil((reserved.retryAtMs - Date.now()) / 1000)),
  })
}

/**
 * Counts or releases a reservation. A Durable Object that is restarting rejects the first call, so this tries twice. A second failure is
 * only logged: it must not replace the result of the paid call, and a reservation expires by itself.
 */
export function endReservation(
  objects: Objects,
  kind: 'settle' | 'release',
  { id, route }: { id: string; route: string },
): Promise<unknown> {
  const call = () => budgetsOf(objects).budget(kind, { id })
  return call()
    .catch(call)
    .catch((error: unknown) => logError(error, { route }))
}

/** Returns the amount that was used this month, including what is reserved. */
export async function spendOfMonth(objects: Objects, { key, monthly }: MonthBudget): Promise<MonthSpend> {
  const used = await budgetsOf(objects).budget('used', { key, window: 'month' })
  return { month: new Date().toISOString().slice(0, 7), used, monthly }
}
