import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime, respondWithList, respondWithPage, respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { parseAs, readBody } from '../../rest/read-body.ts'
import {
  deleteSendingDomain,
  DKIM_SELECTOR,
  findSendingDomain,
  insertSendingDomain,
  isEnabled,
  listSendingDomains,
  type SendingDomain,
  sendingRecords,
} from './domains.ts'
import { isHostname, toAsciiName } from '../zones/names.ts'
import type { Zone } from '../../store/zones.ts'
import { listSuppressions } from './mails.ts'
import { OutgoingMail, rawSubject } from './outgoing.ts'
import { sendMail, type SendProblem, type MailWorld } from './send.ts'

const NewDomain = z.object({ name: z.string().transform(toAsciiName) })
const SendRaw = z.object({
  from: z.string(),
  recipients: z.array(z.string()).min(1),
  mime_message: z.string(),
})

/** Mounted at /zones/:zone/email/sending/subdomains. */
export function sendingDomainRoutes(cloud: Cloud): Hono<ApiEnv> {
  const { store } = cloud
  const requireDomain = (c: Context<ApiEnv>): SendingDomain => {
    const domain = findSendingDomain(store, c.get('zone').id, c.req.param('tag') ?? '')
    if (domain === null) throw new ApiFailure(404, 2004, 'Subdomain not found.')
    return domain
  }
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      respondWithList(
        c,
        listSendingDomains(store, c.get('zone').id).map((one) =>
          toSendingDomainJson(cloud, c.get('zone'), one),
        ),
      ),
    )
    .post('/', async (c) => {
      const zone = c.get('zone')
      const { name } = await readBody(c, NewDomain)
      if (!isHostname(name) || (name !== zone.name && !name.endsWith(`.${zone.name}`)))
        throw new ApiFailure(400, 2005, 'The subdomain must be within the zone.')
      const known = listSendingDomains(store, zone.id).find((one) => one.name === name)
      if (known !== undefined) throw new ApiFailure(409, 2006, 'The subdomain exists already.')
      return respond(c, toSendingDomainJson(cloud, zone, insertSendingDomain(store, zone, name, cloud.now())))
    })
    .get('/:tag', (c) => respond(c, toSendingDomainJson(cloud, c.get('zone'), requireDomain(c))))
    .get('/:tag/dns', (c) => respondWithPage(c, sendingRecords(requireDomain(c))))
    .delete('/:tag', (c) => {
      deleteSendingDomain(store, requireDomain(c))
      return respond(c, null)
    })
}

function toSendingDomainJson({ store, now, timeScale }: Cloud, zone: Zone, domain: SendingDomain): object {
  return {
    tag: domain.tag,
    name: domain.name,
    enabled: isEnabled(store, zone, domain, { now: now(), timeScale }),
    dkim_selector: DKIM_SELECTOR,
    return_path_domain: `cf-bounce.${domain.name}`,
    created: isoTime(domain.createdAt),
    modified: isoTime(domain.createdAt),
  }
}

/** Mounted at /accounts/:account/email/sending. */
export function sendingRoutes(cloud: MailWorld): Hono<ApiEnv> {
  const sendOutgoing = async (c: Context<ApiEnv>, mail: OutgoingMail, raw: string | null) => {
    const sent = await sendMail(cloud, { accountId: c.get('account').id, worker: null }, mail, raw)
    if ('problem' in sent) throw toApiFailure(sent.problem)
    return respond(c, {
      message_id: sent.messageId,
      delivered: sent.delivered,
      queued: [],
      permanent_bounces: sent.bounced,
    })
  }
  return new Hono<ApiEnv>()
    .post('/send', async (c) => sendOutgoing(c, await readBody(c, OutgoingMail), null))
    .post('/send_raw', async (c) => {
      const { from, recipients, mime_message: raw } = await readBody(c, SendRaw)
      const mail = { from, to: recipients, subject: rawSubject(raw), text: '' }
      return sendOutgoing(c, parseAs(OutgoingMail, mail), raw)
    })
    .get('/suppressions', (c) =>
      respondWithPage(
        c,
        listSuppressions(cloud.store, c.get('account').id).map(({ address, createdAt }) => ({
          email: address,
          created: isoTime(createdAt),
        })),
      ),
    )
}

const toApiFailure = ({ code, message }: SendProblem) =>
  new ApiFailure(code === 'E_SENDER_NOT_VERIFIED' ? 403 : 400, 10203, `${code}: ${message}`)
