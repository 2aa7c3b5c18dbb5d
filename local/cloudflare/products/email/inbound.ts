import { randomUUID } from 'node:crypto'
import type { Store } from '../../../world/store.ts'
import { findScript } from '../../store/scripts.ts'
import type { Script } from '../../types.ts'
import { listZonesByName, type Zone, zoneStatus } from '../../store/zones.ts'
import { insertMail, type StoredMail, settleMail } from './mails.ts'
import { rawSubject } from './outgoing.ts'
import { routingStatus, findMatchingRule } from './rules.ts'

/** A mail as a mail server receives it: the addresses of the envelope and the raw message. */
export interface IncomingMail {
  from: string
  to: string
  raw: string
}

interface DeliveryOutcome {
  outcome: string
  rejected?: string | undefined
  /** The message of an exception in the worker. */
  message?: string | undefined
}

export interface InboundDeps {
  store: Store
  now(): number
  timeScale: number
  /** Runs the worker's `email()` handler and resolves with the outcome, including the reason when the worker rejects the mail. */
  deliver(script: Script, mail: IncomingMail): Promise<DeliveryOutcome>
}

/** Returns a raw plain-text message (RFC 5322) for mail that a person writes in the local mailbox or in a test. */
export function composeRaw(
  mail: { from: string; to: string; subject: string; text: string },
  at: number,
): string {
  const lines = [
    `From: ${mail.from}`,
    `To: ${mail.to}`,
    `Subject: ${mail.subject}`,
    `Date: ${new Date(at).toUTCString()}`,
    `Message-ID: <${randomUUID()}@mail.slipway.test>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    mail.text,
  ]
  return lines.join('\r\n')
}

/**
 * Receives a mail: finds the rule of its zone and runs the worker. Stores the mail first and the outcome afterwards. Without a matching
 * rule, rejects the mail as a mail server does.
 */
export async function receiveMail(deps: InboundDeps, mail: IncomingMail): Promise<StoredMail[]> {
  const { store, now } = deps
  const domain = mail.to.slice(mail.to.lastIndexOf('@') + 1).toLowerCase()
  // At most one: a zone name can be active in one account only.
  const zones = listZonesByName(store, domain).filter((zone) => zoneStatus(zone, now()) === 'active')
  const received: StoredMail[] = []
  for (const zone of zones) received.push(await receiveIn(deps, zone, mail))
  return received
}

async function receiveIn(deps: InboundDeps, zone: Zone, mail: IncomingMail): Promise<StoredMail> {
  const { store, now, timeScale } = deps
  const status = routingStatus(store, zone, now(), timeScale)
  const rule = status === 'ready' ? findMatchingRule(store, zone.id, mail.to) : null
  const action = rule?.actions[0]
  const name = action?.type === 'worker' ? action.value?.[0] : undefined
  const script = name === undefined ? null : findScript(store, zone.accountId, name)
  const stored = insertMail(store, {
    accountId: zone.accountId,
    direction: 'in',
    worker: script?.name ?? null,
    from: mail.from,
    to: [mail.to],
    subject: rawSubject(mail.raw),
    content: { text: null, html: null, headers: {}, attachments: [], raw: mail.raw },
    status: script === null ? 'rejected' : 'stored',
    detail: script === null ? `No worker takes mail to ${mail.to}; Email Routing is ${status}.` : null,
    at: now(),
  })
  if (script === null) return stored
  const ended: DeliveryOutcome = await deps
    .deliver(script, mail)
    .catch((error: unknown) => ({ outcome: 'interrupted', message: String(error) }))
  const { outcome, rejected, message = '' } = ended
  const detail = rejected ?? (outcome === 'ok' ? null : `The worker ended with ${outcome}: ${message}`)
  const became = rejected !== undefined ? 'rejected' : outcome === 'ok' ? 'delivered' : 'failed'
  settleMail(store, stored.id, became, detail)
  return { ...stored, status: became, detail }
}
