import { verifyMessage } from '../hook/verify.ts'
import { ApiError } from '../kernel/errors.ts'
import { accountOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { callOrders } from './ask.ts'
import type { OrderChange, PersonGrants } from './calls.ts'
import { grantOf, isTier, paymentOf, readEvent, type PaymentEvent } from './events.ts'
import { countsTest, type PaySettings } from './settings.ts'
import { callStripe, StripeError } from './stripe.ts'
import type { PayCalls, PayMode } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

const APP_TIERS: readonly Tier[] = ['production', 'preview']

/**
 * Applies a Stripe event. Resolves once every change is stored, first in the directory and then in the person's object. So Stripe's next
 * delivery completes an event that was interrupted in between. Events of other projects and tiers in the same account are ignored. Throws
 * `unauthorized` for a message that Stripe has not signed.
 */
export async function applyStripeEvent(
  objects: Objects,
  settings: PaySettings,
  message: PayCalls['webhook']['ask'],
): Promise<void> {
  const mode = modeOfSignature(settings, message)
  const event = readEvent(fieldsOf(JSON.parse(new TextDecoder().decode(message.bytes))))
  if (event === null) return
  for (const tier of tiersOf(event, settings, mode))
    await applyEvent(objects, settings, { tier, mode, event })
}

/** Returns the mode (live or test) whose secret has signed the message. Throws `unauthorized` when neither secret has signed it. */
function modeOfSignature(
  { secrets }: PaySettings,
  { signature, bytes }: PayCalls['webhook']['ask'],
): PayMode {
  let refusal: unknown = new ApiError('unauthorized', 'This app has no secret for Stripe events yet.')
  const raw = { headers: { 'stripe-signature': signature }, bytes }
  for (const { mode, secret } of secrets) {
    try {
      verifyMessage('stripe', raw, { secret, details: {}, nowMs: Date.now() })
      return mode
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

/**
 * Returns the tiers (production, preview or both) that an event may concern, by the mode whose secret has
 * signed it. The URL does not show the tier, because Stripe sends all events of a mode to one URL.
 */
function tiersOf(
  { project, tier, payment }: PaymentEvent,
  settings: PaySettings,
  mode: PayMode,
): readonly Tier[] {
  const counting = APP_TIERS.filter((one) =>
    mode === 'live' ? one === 'production' : countsTest(settings, one),
  )
  // The refund of a subscription names no project, only its payment.
  if (project === null) return payment === null ? [] : counting
  return project === settings.project && isTier(tier) ? counting.filter((one) => one === tier) : []
}

async function applyEvent(
  objects: Objects,
  settings: PaySettings,
  { tier, mode, event }: { tier: Tier; mode: PayMode; event: PaymentEvent },
): Promise<void> {
  const { id, subscription, bill } = event
  const before = await callOrders(objects, tier, 'seen', { event: id })
  if (before.isSeen) return updateGrants(objects, tier, before.told)
  const changes = [...event.changes]
  if (subscription !== null)
    changes.push(await readSubscription(objects, settings, { tier, mode, ...subscription }))
  if (bill !== null)
    changes.push({ what: 'billed', ...bill, payment: await readPayment(settings, mode, bill.invoice) })
  if (changes.length === 0) return
  await updateGrants(objects, tier, await callOrders(objects, tier, 'settle', { event: id, mode, changes }))
}

const updateGrants = async (objects: Objects, tier: Tier, told: PersonGrants | null): Promise<void> => {
  if (told !== null) await accountOf(objects, tier, told.user).grants('take', told)
}

/**
 * Returns the payment of an invoice. Returns null when the key may not read invoices; then a refund of this payment cannot be matched to
 * its order.
 */
async function readPayment(settings: PaySettings, mode: PayMode, invoice: string): Promise<string | null> {
  const path = `/invoices/${encodeURIComponent(invoice)}?expand[]=payments`
  try {
    return paymentOf(await callStripe(requireKeyIn(settings, mode), path))
  } catch (error) {
    if (!(error instanceof StripeError) || ![403, 404].includes(error.status)) throw error
    return null
  }
}

function requireKeyIn({ keyIn }: PaySettings, mode: PayMode): string {
  const key = keyIn(mode)
  // This error makes Stripe repeat the event, for three days.
  if (key === null) throw new ApiError('unavailable', 'The Stripe key is missing.')
  return key
}

async function readSubscription(
  objects: Objects,
  settings: PaySettings,
  { tier, mode, order, id }: { tier: Tier; mode: PayMode; order: string; id: string },
): Promise<OrderChange> {
  const key = requireKeyIn(settings, mode)
  const look = await callOrders(objects, tier, 'look', { order })
  const about = { what: 'subscription', order, subscription: id, look } as const
  try {
    return { ...about, ...grantOf(await callStripe(key, `/subscriptions/${encodeURIComponent(id)}`)) }
  } catch (error) {
    if (!(error instanceof StripeError) || !error.isMissing) throw error
    return { ...about, status: 'canceled', isGranted: false, untilAt: null }
  }
}
