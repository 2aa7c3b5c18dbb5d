import type { Context } from 'hono'
import { html } from 'hono/html'
import { formOf, htmlPage } from '../../world/page.ts'
import { changeItem, endSubscription, setCancelAtEnd } from '../buying/subscriptions.ts'
import type { StripeAccount, Stripe } from '../context.ts'
import {
  listObjects,
  findObject,
  findPageObject,
  hiddenFieldsOf,
  storeHiddenFields,
  loadObject,
} from '../objects.ts'
import type { PortalFlow, PortalSession } from '../types.ts'
import { formatIsoDay, formatAmount, formatInterval, formatQuantity } from './words.ts'

const pageRequest = { id: '', idempotencyKey: null }

export function showPortal(stripe: Stripe, c: Context, id: string): Promise<Response> | Response {
  const found = findPageObject(stripe, 'billing_portal.session', id)
  if (found === null) return c.text('No such page.', 404)
  const { account, object } = found
  const { flow } = hiddenFieldsOf(stripe, account, 'billing_portal.session', id)
  if (flow !== null) return showChangePage(stripe, c, account, flow)
  const { mayCancel, mayChangeCard } = readFeatures(stripe, account, object)
  const subscriptions = listObjects(stripe, account, 'subscription').filter(
    ({ customer }) => customer === object.customer,
  )
  const rows = subscriptions.map((subscription) => {
    const [item] = subscription.items.data
    const product = item === undefined ? null : findObject(stripe, account, 'product', item.price.product)
    const end = item === undefined ? '' : formatIsoDay(item.current_period_end)
    const isEnding = subscription.cancel_at_period_end
    return html`<tr>
      <td>
        ${product?.name ?? 'Subscription'}<br />
        ${item === undefined ? '' : formatAmount(item.price.unit_amount, item.price.currency) + formatInterval(item.price) + formatQuantity(item.quantity)}
      </td>
      <td>${subscription.status === 'canceled' ? 'ended' : isEnding ? `ends ${end}` : `renews ${end}`}</td>
      <td>
        ${
          subscription.status === 'canceled'
            ? ''
            : html`<form method="post">
                <input type="hidden" name="subscription" value="${subscription.id}" />
                ${
                  mayCancel &&
                  html`<button name="do" value="${isEnding ? 'keep' : 'cancel'}">
                    ${isEnding ? 'Keep' : 'Cancel'}
                  </button>`
                }
                ${
                  mayChangeCard &&
                  html`<label
                      >Card
                      <input
                        type="text"
                        name="card"
                        value="${hiddenFieldsOf(stripe, account, 'subscription', subscription.id).card}"
                    /></label>
                    <button name="do" value="card">Change card</button>`
                }
              </form>`
        }
      </td>
    </tr>`
  })
  const invoices = listObjects(stripe, account, 'invoice').filter(
    ({ customer }) => customer === object.customer,
  )
  const content = html`<p class="note">Local stand-in for the customer portal of Stripe.</p>
    ${
      rows.length === 0
        ? html`<p>No subscriptions.</p>`
        : html`<table>
            ${rows}
          </table>`
    }
    <h2>Invoices</h2>
    <table>
      ${invoices.map(
        ({ number, created, amount_due: due, currency, status }) =>
          html`<tr>
            <td>${number}</td>
            <td>${formatIsoDay(created)}</td>
            <td>${formatAmount(due, currency)}</td>
            <td>${status}</td>
          </tr>`,
      )}
    </table>
    ${object.return_url === null ? '' : html`<p><a href="${object.return_url}">Back to the app</a></p>`}`
  return htmlPage(c, 'Your subscriptions', content)
}

function readFeatures(stripe: Stripe, account: StripeAccount, { configuration }: PortalSession) {
  const { features } = loadObject(stripe, account, 'billing_portal.configuration', configuration)
  const { payment_method_update: card, subscription_cancel: cancel } = features
  return {
    mayCancel: cancel?.enabled === true,
    endsAtOnce: cancel?.mode === 'immediately',
    mayChangeCard: card?.enabled === true,
  }
}

/** The page on which a customer can only confirm the change of a subscription. */
function showChangePage(
  stripe: Stripe,
  c: Context,
  account: StripeAccount,
  flow: PortalFlow,
): Promise<Response> {
  const price = loadObject(stripe, account, 'price', flow.price)
  const { name } = loadObject(stripe, account, 'product', price.product)
  const amount = formatAmount(price.unit_amount, price.currency)
  const priceText = `${amount}${formatInterval(price)}${formatQuantity(flow.quantity)}`
  const content = html`<p class="note">Local stand-in for the customer portal of Stripe.</p>
    <p>${name}, ${priceText}</p>
    <form method="post"><button name="do" value="confirm">Confirm</button></form>`
  return htmlPage(c, 'Confirm your change', content)
}

function confirmChange(stripe: Stripe, c: Context, account: StripeAccount, flow: PortalFlow): Response {
  stripe.store.transact(() => {
    const subscription = loadObject(stripe, account, 'subscription', flow.subscription)
    // A second click must not change anything.
    const [item] = subscription.items.data
    const isChanged = item?.price.id === flow.price && (flow.quantity ?? item.quantity) === item.quantity
    if (subscription.status === 'canceled' || isChanged) return
    changeItem({ stripe, account, request: pageRequest }, subscription, flow)
  })
  stripe.deliveries.check()
  return c.redirect(flow.returnUrl ?? c.req.path, 303)
}

export async function postPortal(stripe: Stripe, c: Context, id: string): Promise<Response> {
  const found = findPageObject(stripe, 'billing_portal.session', id)
  if (found === null) return c.text('No such page.', 404)
  const { account, object } = found
  const { flow } = hiddenFieldsOf(stripe, account, 'billing_portal.session', id)
  if (flow !== null) return confirmChange(stripe, c, account, flow)
  const fields = await formOf(c)
  const readField = (name: string) => fields(name)[0] ?? ''
  stripe.store.transact(() => {
    const subscription = loadObject(stripe, account, 'subscription', readField('subscription'))
    // Refuse subscriptions of other customers: the page belongs to one customer.
    if (subscription.customer !== object.customer || subscription.status === 'canceled') return
    const { mayCancel, endsAtOnce, mayChangeCard } = readFeatures(stripe, account, object)
    const action = readField('do')
    const scope = { stripe, account, request: pageRequest }
    if (action === 'card' && mayChangeCard) {
      const plan = hiddenFieldsOf(stripe, account, 'subscription', subscription.id)
      const hidden = { ...plan, card: readField('card') }
      storeHiddenFields(stripe, account, { kind: 'subscription', id: subscription.id, hidden })
    }
    if (!mayCancel || (action !== 'cancel' && action !== 'keep')) return
    if (action === 'cancel' && endsAtOnce) endSubscription(scope, subscription)
    else setCancelAtEnd(scope, subscription, action === 'cancel')
  })
  stripe.deliveries.check()
  return c.redirect(c.req.path, 303)
}
