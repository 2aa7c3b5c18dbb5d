import type { Pool } from 'pg'
import { verifySignature } from '../crypto/signature.ts'
import { databaseErrorCode, preparedQuery } from '../db/database.ts'
import { readBytes, withDeadline } from '../http/body.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { isId, newId } from '../lib/ids.ts'
import type { PlatformPorts } from '../platform.ts'
import { type Idea, readIdea } from './idea.ts'
import { findSource, openSecret, type Source } from './sources.ts'

/** The size of the largest post (docs/limits.md#ingest). */
export const POST_BYTES_MAX = 256 * 1024

/** The NOTIFY channel that wakes the processes which turn ideas into tickets. */
export const IDEAS_CHANNEL = 'ideas'

/**
 * Handles one idea: a signed POST request in which another system proposes a ticket. Checks its source, size,
 * signature, rate and content, in this order, and returns the HTTP status: 202 only once the idea is stored. A
 * wrong signature costs one look-up and one hash, and does not count against the rate limit.
 */
export async function acceptIdea(
  ctx: PlatformPorts<'pool' | 'keyring'>,
  post: { sourceId: string; request: Request; spend: () => Promise<void> },
): Promise<202 | 204 | 413> {
  const source = isId('ing', post.sourceId) ? await findSource(ctx.pool, post.sourceId) : undefined
  if (source === undefined) throw notFound('ingest source')
  const bytes = await withDeadline(readBytes(post.request, POST_BYTES_MAX))
  if (bytes === null) return 413
  const now = ctx.clock.now()
  if (!verifySignature(post.request.headers.get('service-signature'), bytes, openSecret(ctx, source), now))
    throw new ApiError('unauthorized', 'The signature is missing, stale or wrong.')
  await post.spend()
  const idea = readIdea(bytes)
  if (idea === null) return 204
  await storeIdea(ctx.pool, source, idea, now)
  return 202
}

interface NewIdea extends Idea {
  ticketId: string
  orgId: string
  projectId: string
  sourceId: string
  at: Date
}

// A second idea with the same id from the same source is not inserted, even when the first one has already become a ticket. But it replaces
// a first one that could not become a ticket, because the response promises a ticket and a failed idea is not tried again.
const insertIdea = preparedQuery<{ stored: number }, NewIdea>(
  'idea-insert',
  `insert into ideas (ticket_id, org_id, project_id, source_id, external_id, title, body, url, state, attempt,
     next_at, created_at)
   values (:ticketId, :orgId, :projectId, :sourceId, :externalId, :title, :body, :url, 'queued', 0, :at, :at)
   on conflict (source_id, external_id) where external_id is not null do update
     set title = excluded.title, body = excluded.body, url = excluded.url, state = 'queued', attempt = 0,
       next_at = excluded.next_at
     where ideas.state = 'failed'
   returning 1 as stored`,
)

async function storeIdea(pool: Pool, source: Source, idea: Idea, at: Date): Promise<void> {
  const { org_id: orgId, project_id: projectId, id: sourceId } = source
  try {
    const rows = await insertIdea(pool, { ticketId: newId('tkt'), orgId, projectId, sourceId, ...idea, at })
    if (rows.length > 0) announceIdeas(pool)
  } catch (error) {
    // The source was deleted with its project between the look-up and this insert.
    if (databaseErrorCode(error) === FOREIGN_KEY_VIOLATION) throw notFound('ingest source')
    throw error
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

const NOTIFY_DELAY_MS = 10
const announcingPools = new WeakSet<Pool>()

/**
 * Notifies the processes that turn ideas into tickets. Postgres commits transactions with a notification one
 * after another, so all ideas stored within a few milliseconds share a notification. A lost notification delays an idea
 * by at most a second.
 */
function announceIdeas(pool: Pool): void {
  if (announcingPools.has(pool)) return
  announcingPools.add(pool)
  setTimeout(() => {
    announcingPools.delete(pool)
    pool.query(`select pg_notify('${IDEAS_CHANNEL}', '')`).catch(() => {})
  }, NOTIFY_DELAY_MS).unref()
}
