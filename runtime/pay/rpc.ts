import { isUserId } from '../kernel/access/actor.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid, asResult } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { accountOf, type Tier } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import { originIn } from '../auth/context.ts'
import { callOrders } from './ask.ts'
import { readCode, readOffer, readProducts, requireKey } from './catalog.ts'
import { checkoutForm } from './checkout-form.ts'
import { activeGrants } from './grants.ts'
import { openPortal } from './portal.ts'
import { countsTest, payKeyOf, paySettingsOf } from './settings.ts'
import { callStripe, StripeError, textOrNull } from './stripe.ts'
import type { PayCalls } from './types.ts'
import { applyStripeEvent } from './webhook.ts'

/** How long a browser that returns from Stripe waits for the event of its payment. */
const WAIT_MS = 5000
const POLL_MS = 250

/**
 * Runs in the live worker, which owns the Durable Objects: handles RPC calls from the app's worker. Returns
 * an `ApiError` as a value.
 */
export function handlePay<Kind extends keyof PayCalls>(
  context: LiveContext,
  kind: Kind,
  ask: PayCalls[Kind]['ask'],
): Promise<ResultOf<PayCalls, Kind>> {
  return asResult(async () => {
    try {
      return await payHandlers(context)[kind](ask)
    } catch (error) {
      throw errorForVisitor(error, { kind, tier: context.tier })
    }
  })
}

function payHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<PayCalls> {
  const settings = paySettingsOf(env)
  const { project } = settings
  const key = () => requireKey(payKeyOf(settings, tier), tier === 'preview', settings)

  async function ownedBy(userId: string) {
    const grants = await accountOf(objects, tier, userId).grants('read', null)
    return activeGrants(grants, countsTest(settings, tier), new Date())
  }

  return {
    checkout: async ({ session, productId, code, origin }) => {
      const { userId: user } = await requirePerson(objects, tier, session)
      const from = originIn(origin).origin
      const selling = key()
      const { mode } = selling
      const offer = await readOffer(selling, project, productId)
      if (code !== null) requireCode(code)
      const promotion = code === null ? null : await readCode(selling, project, code)
      const { customer, hadSubscription } = await callOrders(objects, tier, 'customer', { user, mode })
      const email = (await accountOf(objects, tier, user).account('read', null))?.email ?? null
      const id = `ord_${crypto.randomUUID().replaceAll('-', '')}`
      const trialDays = hadSubscription ? 0 : settings.trialDays
      const buyer = { user, customer, email }
      const form = checkoutForm({ id, offer, promotion, buyer, origin: from, tier, settings, trialDays })
      const { id: product, price, amount, currency, interval } = offer
      const order = { product, price, amount, currency, code } as const
      const kind = interval === null ? 'once' : 'subscription'
      const begun = await callOrders(objects, tier, 'begin', { id, user, mode, form, kind, ...order })
      if (begun.url !== null) return { url: begun.url }
      try {
        // The idempotency key is the order's id, so that two clicks create one session.
        const made = await callStripe(selling.key, '/checkout/sessions', {
          method: 'POST',
          form: begun.form,
          once: `${project} ${begun.id}`,
        })
        const [opened, url] = [textOrNull(made['id']), textOrNull(made['url'])]
        if (opened === null || url === null) throw new Error('Stripe returned a session without a URL')
        await callOrders(objects, tier, 'opened', { id: begun.id, session: opened, url })
        return { url }
      } catch (error) {
        // Remove the order only for errors that prove that Stripe did nothing. After any other error keep the order: the next click reuses
        // it.
        if (error instanceof StripeError && error.status >= 400 && error.status < 409) {
          await callOrders(objects, tier, 'drop', { id: begun.id })
          if (error.param === 'customer') await callOrders(objects, tier, 'forgetCustomer', { user, mode })
        }
        throw error
      }
    },

    portal: async ({ session, origin }) => {
      const { userId: user } = await requirePerson(objects, tier, session)
      const returnUrl = `${originIn(origin).origin}/`
      if (!settings.portal) throw new ApiError('not_enabled', 'This app has no Stripe customer portal.')
      const { mode, key: secret } = key()
      const { customer } = await callOrders(objects, tier, 'customer', { user, mode })
      if (customer === null) throw new ApiError('conflict', 'Nothing was bought yet.')
      return { url: await openPortal({ key: secret, project, customer, returnUrl }) }
    },

    entitlements: async ({ session }) => ownedBy((await requirePerson(objects, tier, session)).userId),

    entitled: async ({ userId, productId }) =>
      isUserId(userId) && (await ownedBy(userId)).some((one) => one.productId === productId),

    products: () => readProducts(key(), project),

    returned: async ({ session, orderId }) => {
      const { userId: user } = await requirePerson(objects, tier, session)
      const endsAt = Date.now() + WAIT_MS
      for (;;) {
        const status = await callOrders(objects, tier, 'status', { id: orderId, user })
        if (status !== 'open' || Date.now() >= endsAt)
          return { path: withOrderStatus(settings.successPath, status ?? 'unknown') }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },

    webhook: async (message) => {
      await applyStripeEvent(objects, settings, message)
      return null
    },
  }
}

/** Returns the error for the visitor. An error of Stripe is logged and replaced; any other is returned unchanged. */
function errorForVisitor(error: unknown, { kind, tier }: { kind: string; tier: Tier }): unknown {
  if (!(error instanceof StripeError)) return error
  logError(error, { route: `pay.${kind}`, tier })
  return error.param?.startsWith('discounts') === true
    ? invalid('code', 'is not valid for this purchase')
    : new ApiError('unavailable', 'Payments do not work right now. Try again in a moment.')
}

function requireCode(code: unknown): asserts code is string {
  if (typeof code !== 'string') throw invalid('code', 'must be text')
}

function withOrderStatus(path: string, status: string): string {
  const url = new URL(path, 'https://app.invalid')
  url.searchParams.set('order', status)
  return `${url.pathname}${url.search}${url.hash}`
}
