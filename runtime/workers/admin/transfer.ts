import { Buffer } from 'node:buffer'
import { Hono } from 'hono/tiny'
import type { RowCursor, StoredRow } from '../../data/partition/transfer.ts'
import type { MovedMail } from '../../email/store.ts'
import { metadataOf } from '../../files/metadata.ts'
import type { FileRef } from '../../files/types.ts'
import type { AdminContext } from '../../kernel/objects/admin.ts'
import { readServiceBody } from '../../kernel/access/guard.ts'
import { unwrapResult } from '../../kernel/errors.ts'
import { succeed } from '../../kernel/worker/envelope.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { MovedHead } from '../live/operator.ts'

/**
 * The routes of `/transfer` in the admin worker. These routes copy everything that the live app or its preview stores to the Durable
 * Objects in another cloud account. Reads are paged, so that an interrupted copy continues where it stopped.
 */
export const transferOperator = new Hono<AdminContext>()
  .post('/hold', async (c) => {
    const { held } = await readServiceBody<{ held: boolean }>(c.req.raw)
    return succeed(unwrapResult(await c.env.LIVE.hold(c.var.tier, held)))
  })
  .get('/contents', async (c) => succeed(unwrapResult(await c.env.LIVE.contents(c.var.tier))))
  .post('/wipe', async (c) => succeed(unwrapResult(await c.env.LIVE.wipe(c.var.tier))))
  .get('/rows/:partition', async (c) => {
    const { collection, id } = c.req.query()
    const after: RowCursor | null = collection === undefined || id === undefined ? null : { collection, id }
    return succeed(unwrapResult(await c.env.LIVE.rows(c.var.tier, c.req.param('partition'), after)))
  })
  .post('/partitions/:partition', async (c) => {
    const { head, release } = await readServiceBody<{
      head: MovedHead
      release: { hash: string; manifest: Manifest } | null
    }>(c.req.raw)
    return succeed(
      unwrapResult(await c.env.LIVE.takeHead(c.var.tier, c.req.param('partition'), head, release)),
    )
  })
  .post('/rows/:partition', async (c) => {
    const { rows } = await readServiceBody<{ rows: StoredRow[] }>(c.req.raw)
    return succeed(unwrapResult(await c.env.LIVE.takeRows(c.var.tier, c.req.param('partition'), rows)))
  })
  .get('/mails', async (c) => {
    const mails = unwrapResult(await c.env.LIVE.movedMails(c.var.tier, Number(c.req.query('after'))))
    return succeed({ mails: mails.map((one) => ({ ...one, mail: withFiles(one.mail, encodeFile) })) })
  })
  .post('/mails', async (c) => {
    const { mails } = await readServiceBody<{ mails: SentMail[] }>(c.req.raw)
    const taken = mails.map((one) => ({ ...one, mail: withFiles(one.mail, decodeFile) }))
    unwrapResult(await c.env.LIVE.takeMails(c.var.tier, taken))
    return succeed(null)
  })
  .get('/files', async (c) => {
    const cursor = c.req.query('cursor')
    const { items, nextCursor } = unwrapResult(await c.env.LIVE.files(c.var.tier, cursor))
    return succeed({ items: items.map((file) => ({ ...file, ...metadataOf(file) })), nextCursor })
  })
  .post('/files', async (c) => {
    const { files } = await readServiceBody<{ files: FileRef[] }>(c.req.raw)
    return succeed(unwrapResult(await c.env.LIVE.takeFiles(c.var.tier, files)))
  })

type MailFile = MovedMail['mail']['attachments'][number]

/** A file of a mail as it is sent as JSON, with its bytes in base64. */
interface SentFile extends Omit<MailFile, 'bytes'> {
  bytes: string
}
type SentMail = Omit<MovedMail, 'mail'> & { mail: TransferredMail<SentFile> }
type TransferredMail<File> = Omit<MovedMail['mail'], 'attachments'> & { attachments: File[] }

const withFiles = <File, Changed>(
  mail: TransferredMail<File>,
  change: (file: File) => Changed,
): TransferredMail<Changed> => ({
  ...mail,
  attachments: mail.attachments.map(change),
})
const encodeFile = (file: MailFile): SentFile => ({
  ...file,
  bytes: Buffer.from(file.bytes).toString('base64'),
})
const decodeFile = (file: SentFile): MailFile => ({
  ...file,
  bytes: new Uint8Array(Buffer.from(file.bytes, 'base64')),
})
