import { USERS_AS_U } from '../sql/auth.ts'
import type { Db, Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'

export interface HelpThread {
  id: string
  subject: string
  state: 'open' | 'answered' | 'closed'
  projectId: string | null
  projectName: string | null
  plan: string
  createdAt: string
  lastActiveAt: string
}

export interface HelpMessage {
  id: string
  author: 'member' | 'operator'
  /** The name of the writer; null for the operator and for a person who was deleted. */
  name: string | null
  body: string
  attachments: { id: string; name: string; contentType: string; size: number }[]
  createdAt: string
}

export interface HelpConversation extends HelpThread {
  messages: HelpMessage[]
}

type ThreadRow = Awaited<ReturnType<typeof readThread>>

/** Returns a conversation of this organization, or of any organization when `orgId` is null. Returns null when there is none. */
export async function readThread(db: Db | Trx, orgId: string | null, id: string) {
  const row = await db
    .selectFrom('help_threads')
    .selectAll()
    .$if(orgId !== null, (own) => own.where('org_id', '=', orgId ?? ''))
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Returns a conversation and locks it until the transaction ends, so that its state always matches its last message. */
export async function lockThread(trx: Trx, orgId: string | null, id: string) {
  const row = await trx
    .selectFrom('help_threads')
    .selectAll()
    .$if(orgId !== null, (own) => own.where('org_id', '=', orgId ?? ''))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Limited, because members can open any number of conversations, each with a report of the console that is read with it. */
const LISTED_THREADS_MAX = 1_000

/**
 * Returns the conversations of this organization, the most recently active first and at most `LISTED_THREADS_MAX`. Returns those of all
 * organizations when `orgId` is null.
 */
export async function listThreads(db: Db, orgId: string | null) {
  return await db
    .selectFrom('help_threads')
    .selectAll()
    .$if(orgId !== null, (own) => own.where('org_id', '=', orgId ?? '').limit(LISTED_THREADS_MAX))
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Stores a message and sets the conversation's state: `answered` after a message of the operator, else `open`.
 * Returns the message's id.
 */
export async function addMessage(
  trx: Trx,
  thread: { id: string; org_id: string },
  message: { author: 'member' | 'operator'; userId: string | null; body: string; at: Date },
): Promise<string> {
  const id = newId('hlm')
  const isAnswer = message.author === 'operator'
  await trx
    .insertInto('help_messages')
    .values({
      id,
      org_id: thread.org_id,
      thread_id: thread.id,
      author: message.author,
      created_by: message.userId,
      body: message.body,
      is_mailed: isAnswer ? false : null,
      created_at: message.at,
    })
    .execute()
  await setState(trx, thread, { state: isAnswer ? 'answered' : 'open', at: message.at })
  return id
}

export async function countThreadMessages(trx: Trx, thread: { id: string; org_id: string }): Promise<number> {
  const { n } = await trx
    .selectFrom('help_messages')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('org_id', '=', thread.org_id)
    .where('thread_id', '=', thread.id)
    .executeTakeFirstOrThrow()
  return n
}

export async function setState(
  trx: Trx,
  thread: { id: string; org_id: string },
  { state, at }: { state: HelpThread['state']; at: Date },
): Promise<void> {
  await trx
    .updateTable('help_threads')
    .set({ state, last_at: at })
    .where('org_id', '=', thread.org_id)
    .where('id', '=', thread.id)
    .execute()
}

export const threadOf = (row: NonNullable<ThreadRow>): HelpThread => ({
  id: row.id,
  subject: row.subject,
  state: row.state,
  projectId: row.project_id,
  projectName: row.project_name,
  plan: row.plan,
  createdAt: row.created_at.toISOString(),
  lastActiveAt: row.last_at.toISOString(),
})

/** Returns a conversation with its messages, the oldest first. */
export async function conversationOf(
  db: Db | Trx,
  thread: NonNullable<ThreadRow>,
): Promise<HelpConversation> {
  const messages = await db
    .selectFrom('help_messages as m')
    .leftJoin(USERS_AS_U, 'u.id', 'm.created_by')
    .select(['m.id', 'm.author', 'm.body', 'm.created_at', 'u.name'])
    .where('m.org_id', '=', thread.org_id)
    .where('m.thread_id', '=', thread.id)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  const pictures = await db
    .selectFrom('help_attachments as a')
    .innerJoin('help_messages as m', 'm.id', 'a.message_id')
    .select(['a.id', 'a.message_id', 'a.name', 'a.content_type', 'a.size_bytes'])
    .where('a.org_id', '=', thread.org_id)
    .where('m.thread_id', '=', thread.id)
    .orderBy('a.position')
    .execute()
  return {
    ...threadOf(thread),
    messages: messages.map(({ id, author, body, name, created_at }) => ({
      id,
      author,
      name,
      body,
      attachments: pictures
        .filter((picture) => picture.message_id === id)
        .map((picture) => ({
          id: picture.id,
          name: picture.name,
          contentType: picture.content_type,
          size: picture.size_bytes,
        })),
      createdAt: created_at.toISOString(),
    })),
  }
}
