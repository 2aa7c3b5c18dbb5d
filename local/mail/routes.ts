import { Hono } from 'hono'
import type { Context } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { type InboundDeps, composeRaw, receiveMail } from '../cloudflare/products/email/inbound.ts'
import { findMail, listMails, type StoredMail } from '../cloudflare/products/email/mails.ts'
import { rejectCrossSiteForms, htmlPage } from '../world/page.ts'

const Address = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an address')
const Line = z.string().regex(/^[^\r\n]*$/, 'must be one line')
/** A mail as its bytes (`raw`), or as subject and text. */
const Posted = z.object({
  from: Address,
  to: Address,
  raw: z.string().optional(),
  subject: Line.default(''),
  text: z.string().default(''),
})
const Wanted = z.object({ to: z.string().optional(), since: z.coerce.number().optional() })

/** Sent and received mail of all accounts: a page and an API, mounted at /mail. */
export function mailRoutes(deps: InboundDeps): Hono {
  const { store, now } = deps
  return new Hono()
    .get('/', (c) => showList(c, listMails(store)))
    .get('/messages', (c) => {
      const wanted = Wanted.safeParse(c.req.query())
      if (!wanted.success) return c.json({ error: z.prettifyError(wanted.error) }, 400)
      return c.json({ messages: listMails(store, wanted.data) })
    })
    .get('/messages/:id', async (c): Promise<Response> => {
      const mail = findMail(store, c.req.param('id'))
      if (mail === null) return c.text('No such mail.', 404)
      return showMail(c, mail)
    })
    .post('/inbound', rejectCrossSiteForms, async (c) => {
      const given = Posted.safeParse(await c.req.json().catch(() => null))
      if (!given.success) return c.json({ error: z.prettifyError(given.error) }, 400)
      const mail = given.data
      const raw = mail.raw ?? composeRaw(mail, now())
      const received = await receiveMail(deps, { from: mail.from, to: mail.to, raw })
      if (received.length === 0) {
        const domain = mail.to.split('@')[1]
        const error = `No account receives mail for ${domain}. Onboard this domain first, in the console under Capabilities, Email, and wait until it is active.`
        return c.json({ error }, 404)
      }
      return c.json({ received: received.map(({ id, status, detail }) => ({ id, status, detail })) })
    })
}

function showList(c: Context, mails: StoredMail[]): Promise<Response> {
  const rows = mails.map(
    ({ id, direction, from, to, subject, status, createdAt }) =>
      html`<tr>
        <td>${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td>
        <td>${direction === 'out' ? 'sent' : 'received'}, ${status}</td>
        <td>
          ${from} to ${to.join(', ')}<br /><a href="/mail/messages/${id}">${subject || 'No subject'}</a>
        </td>
      </tr>`,
  )
  const none = html`<p>No app has sent or received mail yet.</p>`
  return htmlPage(
    c,
    'Mail of local apps',
    rows.length === 0
      ? none
      : html`<table>
          ${rows}
        </table>`,
  )
}

function showMail(c: Context, mail: StoredMail): Promise<Response> {
  const { content } = mail
  const text = content.text ?? content.raw ?? content.html ?? ''
  return htmlPage(
    c,
    mail.subject || 'No subject',
    html`<p>
        From ${mail.from}<br />To ${mail.to.join(', ')}<br />${mail.status}${mail.detail === null ? '' : `: ${mail.detail}`}
      </p>
      <pre style="white-space: pre-wrap; overflow-wrap: anywhere">${text}</pre>
      ${content.attachments.map(({ filename, sizeBytes }) => html`<p>${filename}, ${sizeBytes} bytes</p>`)}
      <p><a href="/mail">All mail</a></p>`,
  )
}
