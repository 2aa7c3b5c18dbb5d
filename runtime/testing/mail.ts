import { env } from 'cloudflare:workers'
import { data } from '../data/server.ts'
import type { CollectionName, InputOf } from '../data/types.ts'
import type { KeptMail } from '../email/store.ts'
import type { MailEvent } from '../email/types.ts'
import { fieldsFor } from '../data/records.ts'
import { manifest } from '../manifest.gen.ts'
import type { JobName } from '../types.gen.ts'
import { runJob } from './jobs.ts'

const LISTED_MAX = 200

export interface TestMail {
  to: string[]
  subject: string
  text: string
  /** The links in the mail's text. Open one with `app.get`. */
  links: string[]
}

interface Operator {
  outbox(tier: 'production', limit: number): Promise<{ ok: true; value: KeptMail[] } | { ok: false }>
}

/** Returns the app's mail, oldest first, including codes and links for signing in. */
export async function sentMail(): Promise<TestMail[]> {
  const answer = await (env['OPERATOR'] as Operator).outbox('production', LISTED_MAX)
  if (!answer.ok) throw new Error('The outbox cannot be read.')
  return answer.value.toReversed().map(({ to, subject, text }) => ({
    to: to.split(', '),
    subject,
    text,
    links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
  }))
}

/** Stores a received mail as a record and runs the mailbox's handler once. Throws what the handler throws. */
export async function postMail(
  collection: CollectionName,
  { from, subject, text, html = null, isAutomatic = false }: PostedMail,
): Promise<{ id: string }> {
  const box = manifest.mailboxes?.find((one) => one.collection === collection)
  const spec = manifest.collections[collection]
  if (box === undefined || spec === undefined)
    throw new Error(`app.json has no mailbox with the collection ${collection}`)
  const mail: Omit<MailEvent, 'id'> = {
    mailbox: 'mailbox@app.test',
    from,
    to: ['mailbox@app.test'],
    subject,
    text,
    html,
    messageId: `<${crypto.randomUUID()}@app.test>`,
    receivedAt: new Date().toISOString(),
    isAutomatic,
    attachments: [],
  }
  // An app's types contain only its own collections and jobs, so these values are untyped here.
  const fields: unknown = fieldsFor(spec, mail)
  const { id } = await data.system.create(collection, fields as InputOf<CollectionName>)
  const job: unknown = box.handler
  if (job !== undefined) await runJob(job as JobName, { ...mail, id })
  return { id }
}

export type PostedMail = Pick<MailEvent, 'from' | 'subject' | 'text'> &
  Partial<Pick<MailEvent, 'html' | 'isAutomatic'>>
