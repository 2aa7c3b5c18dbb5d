import { Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { rejectCrossSiteForms, htmlPage } from '../world/page.ts'
import type { PushService } from './service.ts'

const Wanted = z.object({
  /**
   * The public key of the app that may send to the device: the `applicationServerKey` of the subscription.
   */
  senderKey: z.string().regex(/^[\w-]{87}$/, 'must be a point of P-256 in base64url'),
  status: z.int().min(400).max(599).nullable().default(null),
})

/** The messages that the push service has delivered: a page and an API, mounted at /push. */
export function pushRoutes(service: PushService): Hono {
  return new Hono()
    .get('/', (c) => {
      const rows = service.list().map(
        ({ content, subject, createdAt }) =>
          html`<tr>
            <td>${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td>
            <td>From ${subject}<br /><code>${content}</code></td>
          </tr>`,
      )
      const none = html`<p>No app has sent a notification to a device of this push service yet.</p>`
      return htmlPage(
        c,
        'Notifications of local apps',
        rows.length === 0
          ? none
          : html`<table>
              ${rows}
            </table>`,
      )
    })
    .get('/messages', (c) => c.json({ messages: service.list() }))
    .post('/subscriptions', rejectCrossSiteForms, async (c) => {
      const wanted = Wanted.safeParse(await c.req.json().catch(() => null))
      if (!wanted.success) return c.json({ error: z.prettifyError(wanted.error) }, 400)
      return c.json(service.subscribe(wanted.data.senderKey, wanted.data.status))
    })
}
