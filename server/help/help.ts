import { transact } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { invalid, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { ExportedTable } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'
import { loadProject } from '../projects/projects.ts'
import { attachPictures } from './attachments.ts'
import {
  addMessage,
  conversationOf,
  countThreadMessages,
  type HelpConversation,
  type HelpThread,
  listThreads,
  lockThread,
  readThread,
  threadOf,
} from './store.ts'

/** The maximum length of the console's report about its own state, as JSON text (docs/limits.md#help). */
const CONSOLE_CHARS_MAX = 8_000

/** Limited, because every read of a conversation returns all its messages, each with up to 20,000 characters. */
const CONVERSATION_MESSAGES_MAX = 500

interface NewMessage {
  body: string
  attachments: readonly string[]
}

export async function listHelp(ctx: CallerContext<'db'>): Promise<HelpThread[]> {
  return (await listThreads(ctx.db, ctx.caller.organizationId)).map(threadOf)
}

/** Throws 404 for a conversation of another organization. */
export async function readHelp(ctx: CallerContext<'db'>, threadId: string): Promise<HelpConversation> {
  const thread = await readThread(ctx.db, ctx.caller.organizationId, threadId)
  if (thread === null) throw notFound('conversation')
  return conversationOf(ctx.db, thread)
}

/**
 * Opens a conversation. The plan and the project's name are read from the database. The console's report about its
 * own state is only stored.
 */
export async function openHelp(
  ctx: CallerContext<'db' | 'clock'>,
  asked: NewMessage & {
    subject: string
    projectId?: string | undefined
    console?: Record<string, unknown> | undefined
  },
): Promise<HelpConversation> {
  const { organizationId, plan, userId } = ctx.caller
  const said = asked.console === undefined ? null : JSON.stringify(asked.console)
  if (said !== null && said.length > CONSOLE_CHARS_MAX)
    throw invalid('console', `must have at most ${CONSOLE_CHARS_MAX} characters as JSON`)
  const project = asked.projectId === undefined ? null : await loadProject(ctx, asked.projectId)
  const at = ctx.clock.now()
  const thread = {
    id: newId('hlp'),
    org_id: organizationId,
    subject: asked.subject,
    state: 'open' as const,
    created_by: userId,
    plan,
    project_id: project?.id ?? null,
    project_name: project?.name ?? null,
    console: said,
    last_at: at,
    created_at: at,
  }
  return await transact(ctx.db, async (trx) => {
    await trx.insertInto('help_threads').values(thread).execute()
    const id = await addMessage(trx, thread, { author: 'member', userId, body: asked.body, at })
    await attachPictures(ctx, trx, { id, orgId: organizationId }, asked.attachments)
    return conversationOf(trx, thread)
  })
}

/** Adds a member's message to a conversation, which reopens the conversation. */
export async function replyToOperator(
  ctx: CallerContext<'db' | 'clock'>,
  threadId: string,
  { body, attachments }: NewMessage,
): Promise<HelpConversation> {
  const { organizationId, userId } = ctx.caller
  return await transact(ctx.db, async (trx) => {
    const thread = await lockThread(trx, organizationId, threadId)
    if (thread === null) throw notFound('conversation')
    if ((await countThreadMessages(trx, thread)) >= CONVERSATION_MESSAGES_MAX)
      throw invalid(
        'body',
        `cannot be added: a conversation has at most ${CONVERSATION_MESSAGES_MAX} messages. Open a new one`,
      )
    const at = ctx.clock.now()
    const id = await addMessage(trx, thread, { author: 'member', userId, body, at })
    await attachPictures(ctx, trx, { id, orgId: organizationId }, attachments)
    return conversationOf(trx, { ...thread, state: 'open', last_at: at })
  })
}

export const EXPORTED_HELP_THREADS: ExportedTable = {
  fields: {
    id: 'id',
    subject: 'subject',
    state: 'state',
    openedBy: 'created_by',
    plan: 'plan',
    projectId: 'project_id',
    projectName: 'project_name',
    console: { sql: 'console', isJson: true },
    createdAt: isoTime('created_at'),
    lastActiveAt: isoTime('last_at'),
  },
  from: 'help_threads where org_id = $1 order by created_at, id',
}

/** Exports the name, type and size of each picture, but not its bytes. */
export const EXPORTED_HELP_MESSAGES: ExportedTable = {
  fields: {
    id: 'm.id',
    threadId: 'm.thread_id',
    author: 'm.author',
    writtenBy: 'm.created_by',
    body: 'm.body',
    attachments: {
      sql: `coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'contentType', a.content_type,
        'size', a.size_bytes) order by a.position) from help_attachments a where a.message_id = m.id), '[]')::text`,
      isJson: true,
    },
    createdAt: isoTime('m.created_at'),
  },
  from: 'help_messages m where m.org_id = $1 order by m.created_at, m.id',
}
