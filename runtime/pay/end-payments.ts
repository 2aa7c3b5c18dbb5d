import { ApiError } from '../kernel/errors.ts'
import type { Objects, Tier } from '../kernel/objects/objects.ts'
import { callOrders } from './ask.ts'
import type { PaySettings } from './settings.ts'
import { callStripe, idOf, StripeError } from './stripe.ts'
import type { PayMode } from './types.ts'

/** Cancels everything at Stripe that would still charge a person. Throws when Stripe does not confirm it. */
export async function endPayments(
  objects: Objects,
  { keyIn, project }: PaySettings,
  { tier, user }: { tier: Tier; user: string },
): Promise<void> {
  const { subscriptions, sessions, unopened } = await callOrders(objects, tier, 'atStripe', { user })
  const keyFor = (mode: PayMode): string => {
    const key = keyIn(mode)
    if (key === null) throw paymentsNotEnded('conflict', `the ${mode} key of Stripe is missing`)
    return key
  }
  try {
    for (const { order, form, mode } of unopened) {
      const id = await openedSession(keyFor(mode), { form, once: `${project} ${order}` })
      if (id !== null) sessions.push({ id, mode })
    }
    for (const { id, mode } of sessions) {
      const late = await expireSession(keyFor(mode), id)
      if (late !== null) subscriptions.push({ id: late, mode })
    }
    for (const { id, mode } of subscriptions) await cancelSubscription(keyFor(mode), id)
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    throw paymentsNotEnded('unavailable', `Stripe did not confirm it (${error.status})`)
  }
}

const paymentsNotEnded = (code: 'conflict' | 'unavailable', why: string): ApiError =>
  new ApiError(code, `The person's payments could not be ended, so nothing was erased: ${why}.`)

/**
 * Repeats the request that opened a checkout. The same idempotency key prevents a second session. Returns the session's id; null when
 * Stripe refuses to open one.
 */
async function openedSession(key: string, call: { form: string; once: string }): Promise<string | null> {
  try {
    return idOf((await callStripe(key, '/checkout/sessions', { method: 'POST', ...call }))['id'])
  } catch (error) {
    if (error instanceof StripeError && (error.status === 400 || error.isMissing)) return null
    throw error
  }
}

/** Expires a checkout session. If it was paid before that, returns the id of its subscription; otherwise null. */
async function expireSession(key: string, id: string): Promise<string | null> {
  const path = `/checkout/sessions/${encodeURIComponent(id)}`
  try {
    await callStripe(key, `${path}/expire`, { method: 'POST', form: '' })
    return null
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.isMissing) return null
    // Stripe returns 400 for a checkout that is no longer open.
    if (error.status !== 400) throw error
  }
  return idOf((await callStripe(key, path))['subscription'])
}

async function cancelSubscription(key: string, id: string): Promise<void> {
  try {
    await callStripe(key, `/subscriptions/${encodeURIComponent(id)}`, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof StripeError) || !error.isMissing) throw error
  }
}
