import { organizationName, organizationNames } from '../auth/people.ts'
import { type Trx, transact } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import type { BytesResponse } from '../http/endpoint.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { attachPictures, readPicture } from './attachments.ts'
import { recordOperatorAction, type LockedThread } from './operator.ts'
import {
  addMessage,
  conversationOf,
  type HelpConversation,
  type HelpThread,
  lockThread,
  readThread,
  setState,
  threadOf,
} from './store.ts'

/** The maximum number of conversations of one state that the help desk lists (docs/limits.md#help). */
const LISTED_CONVERSATIONS_MAX = 200

export interface DeskThread extends HelpThread {
  organization: { id: string; name: string }
}

export interface DeskConversation extends DeskThread, HelpConversation {
  /**
   * The report of the console about its own state, which is sent with the first message; null when the person did not
   * send it.
   */
  console: unknown
}

/** Returns whether the caller is in the operator's organization, whose members reply to help requests of all organizations. */
const isOperator = ({ config, caller }: Context<'config'>): boolean =>
  config.operatorOrganization !== null && caller.organizationId === config.operatorOrganization

/**
 * Throws for a caller outside the operator's organization. The error is the same 404 as for an unknown conversation, so
 * that other organizations cannot find out which conversations exist.
 */
function requireDesk(ctx: Context<'config'>): void {
  if (!isOperator(ctx)) throw notFound('conversation')
}

/**
 * Returns the conversations of all organizations in this state, the most recently active first. Returns null for a
 * caller outside the operator's organization.
 */
export async function listDesk(
  ctx: Context<'config'>,
  state: HelpThread['state'],
): Promise<DeskThread[] | null> {
  if (!isOperator(ctx)) return null
  const rows = await ctx.db
    .selectFrom('help_threads')
    .selectAll()
    .where('state', '=', state)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_CONVERSATIONS_MAX)
    .execute()
  const names = await organizationNames(
    ctx.db,
    rows.map(({ org_id }) => org_id),
  )
  return rows.map((row) => ({
    ...threadOf(row),
    organization: { id: row.org_id, name: names.get(row.org_id) ?? '' },
  }))
}

export async function readDesk(ctx: Context<'config'>, threadId: string): Promise<DeskConversation> {
  requireDesk(ctx)
  const thread = await readThread(ctx.db, null, threadId)
  if (thread === null) throw notFound('conversation')
  return presentConversation(ctx, thread)
}

/** Stores a reply of the operator. A scheduled task mails it within a minute (`mailHelpReplies`). */
export function answerFromDesk(
  ctx: Context<'config'>,
  threadId: string,
  { body, attachments }: { body: string; attachments: readonly string[] },
): Promise<DeskConversation> {
  return changeConversation(ctx, threadId, 'help.answered', async (trx, thread, at) => {
    const id = await addMessage(trx, thread, { author: 'operator', userId: null, body, at })
    await attachPictures(ctx, trx, { id, orgId: thread.org_id }, attachments)
    return 'answered'
  })
}

/** Closes a conversation. Throws 409 when it is closed already. The next message of a member reopens it. */
export function closeFromDesk(ctx: Context<'config'>, threadId: string): Promise<DeskConversation> {
  return changeConversation(ctx, threadId, 'help.closed', async (trx, thread, at) => {
    if (thread.state === 'closed') throw conflict('The conversation is already closed.')
    await setState(trx, thread, { state: 'closed', at })
    return 'closed'
  })
}

/** Returns a picture of any organization. Throws 404 for callers outside the operator's organization. */
export async function readDeskPicture(ctx: Context<'config'>, id: string): Promise<BytesResponse> {
  requireDesk(ctx)
  return readPicture(ctx, null, id)
}

/** Changes a conversation and records the change in the activity logs of the operator's and the member's organization. */
async function changeConversation(
  ctx: Context<'config'>,
  threadId: string,
  action: string,
  work: (trx: Trx, thread: LockedThread, at: Date) => Promise<HelpThread['state']>,
): Promise<DeskConversation> {
  requireDesk(ctx)
  const changed = await transact(ctx.db, async (trx) => {
    const thread = await lockThread(trx, null, threadId)
    if (thread === null) throw notFound('conversation')
    const at = ctx.clock.now()
    const state = await work(trx, thread, at)
    await recordOperatorAction(trx, thread, action, at)
    await recordCallerChange(ctx, trx, { action, target: thread.id })
    return { ...thread, state, last_at: at }
  })
  return presentConversation(ctx, changed)
}

async function presentConversation(ctx: Core, thread: LockedThread): Promise<DeskConversation> {
  return {
    ...(await conversationOf(ctx.db, thread)),
    organization: { id: thread.org_id, name: await organizationName(ctx.db, thread.org_id) },
    console: thread.console === null ? null : JSON.parse(thread.console),
  }
}
