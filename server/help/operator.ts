import { AdminError } from '../admin/admin-error.ts'
import { type AdminContext, OPERATOR_ACTOR } from '../admin/admin-context.ts'
import { MEMBERS_AS_K, USERS_AS_U } from '../sql/auth.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { recordActivity } from '../activity/log.ts'
import { newId } from '../lib/ids.ts'
import { helpReplyMail } from '../mail/templates.ts'
import type { PlatformPorts } from '../platform.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { PICTURE_BYTES_MAX, PICTURES_MAX, pictureType } from './attachments.ts'
import {
  addMessage,
  conversationOf,
  type HelpConversation,
  listThreads,
  lockThread,
  readThread,
  setState,
} from './store.ts'

/** The maximum length of a help message, whether from a member or from the operator (docs/limits.md#help). */
export const MESSAGE_CHARS_MAX = 20_000

/** Lists the conversations of all organizations, the most recently active first. */
export async function listAllConversations(db: Db) {
  const rows = await listThreads(db, null)
  return rows.map(({ id, org_id, subject, state, last_at }) => ({
    id,
    organizationId: org_id,
    subject,
    state,
    lastActiveAt: last_at,
  }))
}

/** Returns a conversation with the console's report about its own state. */
export async function readForOperator(
  db: Db,
  id: string,
): Promise<HelpConversation & { organizationId: string; console: unknown }> {
  const thread = await readThread(db, null, id)
  if (thread === null) throw unknownThread(id)
  const { org_id: organizationId, console: said } = thread
  const console: unknown = said === null ? null : JSON.parse(said)
  return { ...(await conversationOf(db, thread)), organizationId, console }
}

export interface NewPicture {
  name: string
  bytes: Buffer
}

/** Stores a reply with up to three pictures. The running service mails it within a minute (`mailHelpReplies`). */
export function replyAsOperator(
  { db, now }: AdminContext,
  id: string,
  text: string,
  pictures: readonly NewPicture[] = [],
): Promise<void> {
  const body = text.trim()
  if (body === '' || body.length > MESSAGE_CHARS_MAX)
    throw new AdminError(`An answer has 1 to ${MESSAGE_CHARS_MAX} characters.`)
  if (pictures.length > PICTURES_MAX) throw new AdminError(`An answer has at most ${PICTURES_MAX} pictures.`)
  const typed = pictures.map((picture) => ({ ...picture, contentType: requirePictureType(picture) }))
  return changeThread(db, id, async (trx, thread) => {
    const messageId = await addMessage(trx, thread, { author: 'operator', userId: null, body, at: now })
    for (const [position, { name, bytes, contentType }] of typed.entries())
      await trx
        .insertInto('help_attachments')
        .values({
          id: newId('hla'),
          org_id: thread.org_id,
          created_by: null,
          message_id: messageId,
          position,
          name,
          content_type: contentType,
          size_bytes: bytes.byteLength,
          data: bytes,
          created_at: now,
        })
        .execute()
    await recordOperatorAction(trx, thread, 'help.answered', now)
  })
}

function requirePictureType({ name, bytes }: NewPicture) {
  const type = pictureType(bytes)
  if (type === undefined || bytes.byteLength > PICTURE_BYTES_MAX)
    throw new AdminError(`${name} is not a PNG, JPEG, WebP or GIF of at most ${PICTURE_BYTES_MAX} bytes.`)
  return type
}

/** Returns the pictures of a conversation in the order of its messages. */
export async function picturesOf(db: Db, id: string): Promise<(NewPicture & { id: string })[]> {
  const thread = await readThread(db, null, id)
  if (thread === null) throw unknownThread(id)
  const rows = await db
    .selectFrom('help_attachments as a')
    .innerJoin('help_messages as m', 'm.id', 'a.message_id')
    .select(['a.id', 'a.name', 'a.data as bytes'])
    .where('a.org_id', '=', thread.org_id)
    .where('m.thread_id', '=', id)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .orderBy('a.position')
    .execute()
  return rows
}

/** Closes a conversation. Throws when it is closed already. The next message of a member reopens it. */
export function closeAsOperator({ db, now }: AdminContext, id: string): Promise<void> {
  return changeThread(db, id, async (trx, thread) => {
    if (thread.state === 'closed') throw new AdminError(`${id} is closed already.`)
    await setState(trx, thread, { state: 'closed', at: now })
    await recordOperatorAction(trx, thread, 'help.closed', now)
  })
}

export type LockedThread = NonNullable<Awaited<ReturnType<typeof lockThread>>>

function changeThread(
  db: Db,
  id: string,
  work: (trx: Trx, thread: LockedThread) => Promise<void>,
): Promise<void> {
  return transact(db, async (trx) => {
    const thread = await lockThread(trx, null, id)
    if (thread === null) throw unknownThread(id)
    await work(trx, thread)
  })
}

const unknownThread = (id: string) =>
  new AdminError(`There is no conversation ${JSON.stringify(id)}. \`npm run admin -- help list\` lists them.`)

/** Records the operator's action in the activity log of the organization, where its members see it. */
export const recordOperatorAction = (trx: Trx, thread: LockedThread, action: string, at: Date) =>
  recordActivity(trx, {
    orgId: thread.org_id,
    at,
    provider: 'slipway',
    actor: OPERATOR_ACTOR,
    action,
    target: thread.subject,
    status: 'ok',
  })

/**
 * Mails each reply of the operator to the member who wrote last in the conversation. The operator may write a reply
 * with a command, which cannot queue a job, so this task looks for replies that were not mailed. In one transaction it
 * stores the mail and marks the reply as mailed.
 */
export const mailHelpReplies: ScheduledTask<PlatformPorts<'mailer'>> = {
  name: 'mail-help-answers',
  every: 'minute',
  run: async (platform, signal) => {
    while (!signal.aborted && (await mailNextReply(platform)));
  },
}

function mailNextReply(platform: PlatformPorts<'mailer'>): Promise<boolean> {
  return transact(platform.db, async (trx) => {
    const reply = await trx
      .selectFrom('help_messages as m')
      .innerJoin('help_threads as t', 't.id', 'm.thread_id')
      .select(['m.id', 'm.org_id', 'm.thread_id', 't.subject'])
      .where('m.is_mailed', '=', false)
      .orderBy('m.id')
      .limit(1)
      .forUpdate('m')
      .skipLocked()
      .executeTakeFirst()
    if (reply === undefined) return false
    await trx
      .updateTable('help_messages')
      .set({ is_mailed: true })
      .where('org_id', '=', reply.org_id)
      .where('id', '=', reply.id)
      .execute()
    const recipient = await lastWriter(trx, reply)
    if (recipient === null) return true
    const url = `${platform.mailer.baseUrl}/help/${reply.thread_id}`
    const message = helpReplyMail({ subject: reply.subject, url })
    await platform.mailer.store(trx, { kind: 'help-answered', recipient, message })
    return true
  })
}

/** Returns the e-mail address of the last writer who is still a member of the organization, or null when there is none. */
async function lastWriter(trx: Trx, { org_id, thread_id }: { org_id: string; thread_id: string }) {
  const row = await trx
    .selectFrom('help_messages as m')
    .innerJoin(USERS_AS_U, 'u.id', 'm.created_by')
    .innerJoin(MEMBERS_AS_K, (join) =>
      join.onRef('k.userId', '=', 'u.id').onRef('k.organizationId', '=', 'm.org_id'),
    )
    .select('u.email')
    .where('m.org_id', '=', org_id)
    .where('m.thread_id', '=', thread_id)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.email ?? null
}
