import type { Context } from 'hono'
import { html } from 'hono/html'
import { formOf, htmlPage } from '../../world/page.ts'
import { paySession, settleSession } from '../buying/pay.ts'
import type { StripeAccount, Stripe } from '../context.ts'
import { secondsNow } from '../context.ts'
import { findPageObject, hiddenFieldsOf, loadObject } from '../objects.ts'
import { Email } from '../protocol/params.ts'
import type { CheckoutSession } from '../types.ts'
import { formatAmount, formatInterval, formatQuantity } from './words.ts'

const NO_REQUEST = { id: '', idempotencyKey: null }

export function showCheckout(stripe: Stripe, c: Context, id: string): Promise<Response> | Response {
  const found = findPageObject(stripe, 'checkout.session', id)
  if (found === null) return c.text('No such checkout.', 404)
  return drawCheckout(stripe, c, found.account, found.object, '')
}

/** Pays the checkout, or settles its delayed payment. */
export async function postCheckout(stripe: Stripe, c: Context, id: string): Promise<Response> {
  // Read the form before loading the session, because reading is asynchronous: of two concurrent submissions, the second then finds the
  // session completed.
  const fields = await formOf(c)
  const found = findPageObject(stripe, 'checkout.session', id)
  if (found === null) return c.text('No such checkout.', 404)
  const { account, object } = found
  const readTrimmed = (name: string) => (fields(name)[0] ?? '').trim()
  const scope = { stripe, account, request: NO_REQUEST }
  if (readTrimmed('settle') !== '') {
    stripe.store.transact(() => settleSession(scope, id, readTrimmed('settle') === 'paid'))
    stripe.deliveries.check()
    return c.redirect(c.req.path, 303)
  }
  const back = object.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)
  // A second click must not pay again.
  if (object.status === 'complete') return c.redirect(back, 303)
  const email = object.customer_email ?? readTrimmed('email')
  if (!Email.safeParse(email).success)
    return drawCheckout(stripe, c, account, object, 'Enter an email address.')
  const entered = { email, card: readTrimmed('card'), code: readTrimmed('code') }
  const done = stripe.store.transact(() => paySession(scope, id, entered))
  if (typeof done === 'string') return drawCheckout(stripe, c, account, object, done)
  stripe.deliveries.check()
  return c.redirect(back, 303)
}

function drawCheckout(
  stripe: Stripe,
  c: Context,
  account: StripeAccount,
  session: CheckoutSession,
  problem: string,
): Promise<Response> {
  if (session.status === 'complete') return drawFinished(stripe, c, account, session)
  if (session.status === 'expired' || session.expires_at <= secondsNow(stripe))
    return htmlPage(c, 'This checkout has expired', html`<p>Go back to the app and start again.</p>`)
  const { lines, trialDays } = hiddenFieldsOf(stripe, account, 'checkout.session', session.id)
  const rows = lines.map(({ price: priceId, quantity }) => {
    const price = loadObject(stripe, account, 'price', priceId)
    const { name } = loadObject(stripe, account, 'product', price.product)
    const amount = formatAmount(price.unit_amount * quantity, price.currency)
    return html`<tr>
      <td>${name}${formatQuantity(quantity)}</td>
      <td>${amount}${formatInterval(price)}</td>
    </tr>`
  })
  const off = session.total_details.amount_discount
  const content = html`<p class="note">
      Local stand-in for Stripe, ${account.isLive ? 'live' : 'test'} mode of account ${account.name}. No money
      moves.
    </p>
    <table>
      ${rows}
      ${
        off === 0
          ? ''
          : html`<tr>
              <td>Discount</td>
              <td>-${formatAmount(off, session.currency)}</td>
            </tr>`
      }
      <tr>
        <td><strong>Total</strong></td>
        <td><strong>${formatAmount(session.amount_total, session.currency)}</strong></td>
      </tr>
    </table>
    ${trialDays === 0 ? '' : html`<p>Free for ${trialDays} days, then charged.</p>`}
    ${problem === '' ? '' : html`<p role="alert">${problem}</p>`}
    <form method="post">
      ${
        session.customer_email === null
          ? html`<label>Email <input type="text" name="email" inputmode="email" autocomplete="off" /></label>`
          : html`<p>${session.customer_email}</p>`
      }
      <label>Card number <input type="text" name="card" value="4242 4242 4242 4242" /></label>
      ${
        session.allow_promotion_codes === true
          ? html`<label>Promotion code <input type="text" name="code" autocomplete="off" /></label>`
          : ''
      }
      <p><button name="pay" value="yes">${session.mode === 'payment' ? 'Pay' : 'Subscribe'}</button></p>
    </form>
    <p class="note">
      4242 4242 4242 4242 is paid, 4000 0000 0000 0002 is declined, 4000 0000 0000 0341 fails at the first
      renewal, 4000 0000 0000 0077 settles later.
    </p>
    ${session.cancel_url === null ? '' : html`<p><a href="${session.cancel_url}">Back to the app</a></p>`}`
  return htmlPage(c, 'Checkout', content, problem === '' ? 200 : 400)
}

function drawFinished(
  stripe: Stripe,
  c: Context,
  account: StripeAccount,
  session: CheckoutSession,
): Promise<Response> {
  if (session.payment_status !== 'unpaid')
    return htmlPage(c, 'This checkout is finished', html`<p>It has been paid.</p>`)
  const payment = loadObject(stripe, account, 'payment_intent', session.payment_intent ?? '')
  if (payment.status !== 'processing')
    return htmlPage(c, 'The payment failed', html`<p>Go back to the app and start again.</p>`)
  return htmlPage(
    c,
    'The payment is under way',
    html`<p>A slow payment, like a bank transfer, settles after the checkout.</p>
      <form method="post">
        <button name="settle" value="paid">It arrives</button>
        <button name="settle" value="failed">It fails</button>
      </form>`,
  )
}
