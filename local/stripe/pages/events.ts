import type { Context } from 'hono'
import { html } from 'hono/html'
import { formOf, htmlPage } from '../../world/page.ts'
import { accountKey, type Stripe } from '../context.ts'
import { queueDelivery } from '../events/emit.ts'
import { listObjects, loadObject, accountOfKey, accountsWith } from '../objects.ts'

const EVENTS_MAX = 100

interface DeliveryRow {
  event_id: string
  attempts: number
  due_at: number | null
  last_status: number | null
}

export function showEvents(stripe: Stripe, c: Context): Promise<Response> {
  const rows = accountsWith(stripe, 'event').flatMap((account) => {
    const deliveries = stripe.store.all<DeliveryRow & Record<string, unknown>>(
      'SELECT event_id, attempts, due_at, last_status FROM stripe_deliveries WHERE room = ? ORDER BY id DESC LIMIT 1000',
      accountKey(account),
    )
    return listObjects(stripe, account, 'event')
      .slice(0, EVENTS_MAX)
      .map(
        ({ id, type, created }) =>
          html`<tr>
            <td>${accountKey(account)}<br />${new Date(created * 1000).toISOString().slice(0, 19)}</td>
            <td>${type}<br /><code>${id}</code></td>
            <td>
              ${deliveries.filter(({ event_id: event }) => event === id).map((one) => html`${deliveryText(one)}<br />`)}
              <form method="post" action="events">
                <input type="hidden" name="account" value="${accountKey(account)}" />
                <button name="event" value="${id}">Send again</button>
              </form>
            </td>
          </tr>`,
      )
  })
  return htmlPage(
    c,
    'Events of the local Stripe',
    rows.length === 0
      ? html`<p>Nothing has happened yet.</p>`
      : html`<table>
          ${rows}
        </table>`,
  )
}

/** Sends an event again to every enabled endpoint of its account. */
export async function postEvents(stripe: Stripe, c: Context): Promise<Response> {
  const fields = await formOf(c)
  const account = accountOfKey(fields('account')[0] ?? '')
  stripe.store.transact(() => {
    const event = loadObject(stripe, account, 'event', fields('event')[0] ?? '')
    for (const { id, status } of listObjects(stripe, account, 'webhook_endpoint'))
      if (status === 'enabled') queueDelivery(stripe, account, event.id, id)
  })
  stripe.deliveries.check()
  return c.redirect(c.req.path, 303)
}

function deliveryText({ attempts, due_at: due, last_status: status }: DeliveryRow): string {
  if (due === null && attempts === 0) return 'not sent, because the endpoint was disabled'
  const said = status === null ? 'not sent yet' : status === 0 ? 'no response' : `status ${status}`
  return due === null
    ? `${said} after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`
    : `${said}, will be sent`
}
