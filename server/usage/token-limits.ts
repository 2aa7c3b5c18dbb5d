import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/** The token limits of an organization; null means no limit. */
export interface TokenLimits {
  /** Tokens per calendar month (UTC) for all model calls of all its projects. */
  monthly: number | null
  /** Tokens that all builds of one ticket may use together. */
  perTicket: number | null
}

/** The limits with the tokens used in one month. */
interface TokenMonth extends TokenLimits {
  /** The month in the form `YYYY-MM`. */
  month: string
  used: number
}

/**
 * A limit that is used up: a sentence for people, and the time when the count is reset. The time is null for a ticket's count, which is
 * never reset.
 */
interface ReachedLimit {
  message: string
  until: Date | null
}

const RAISE_HINT = 'An owner or admin can raise the limit under Models'

const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

export async function readTokenMonth(db: Db | Trx, orgId: string, at: Date): Promise<TokenMonth> {
  const month = monthOf(at)
  const limits = await db
    .selectFrom('token_limits')
    .select(['monthly', 'per_ticket'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const counted = await db
    .selectFrom('token_months')
    .select('used')
    .where('org_id', '=', orgId)
    .where('month', '=', month)
    .executeTakeFirst()
  return {
    month,
    used: counted?.used ?? 0,
    monthly: limits?.monthly ?? null,
    perTicket: limits?.per_ticket ?? null,
  }
}

export async function saveTokenLimits(trx: Trx, orgId: string, limits: TokenLimits, at: Date): Promise<void> {
  const columns = { monthly: limits.monthly, per_ticket: limits.perTicket, updated_at: at }
  await trx
    .insertInto('token_limits')
    .values({ org_id: orgId, ...columns })
    .onConflict((row) => row.column('org_id').doUpdateSet(columns))
    .execute()
}

/**
 * Adds tokens to the organization's count of the month. Call it last, because the row of the count stays locked until the transaction ends.
 */
export async function addToMonth(trx: Trx, orgId: string, tokens: number, at: Date): Promise<void> {
  await sql`
    insert into token_months (org_id, month, used) values (${orgId}, ${monthOf(at)}, ${tokens})
    on conflict (org_id, month) do update set used = token_months.used + excluded.used`.execute(trx)
}

/**
 * Returns the organization's limit that is used up, or null. It is called before every model call, so each running build exceeds a limit by
 * at most one call. `ticketId` is null for calls that build nothing.
 */
export async function reachedLimit(
  db: Db | Trx,
  { orgId, ticketId }: { orgId: string; ticketId: string | null },
  at: Date,
): Promise<ReachedLimit | null> {
  const { monthly, perTicket, used, month } = await readTokenMonth(db, orgId, at)
  if (monthly !== null && used >= monthly) {
    const until = nextMonth(at)
    const [name, next] = [formatMonth(month), `1 ${formatMonth(monthOf(until))}`]
    const message = `The organization used ${formatTokens(used)} of its ${formatTokens(monthly)} tokens for ${name}. ${RAISE_HINT}; the next month begins on ${next} (UTC).`
    return { message, until }
  }
  if (perTicket === null || ticketId === null) return null
  const spent = await ticketTokens(db, ticketId)
  if (spent < perTicket) return null
  const message = `The builds of this ticket used ${formatTokens(spent)} of the ${formatTokens(perTicket)} tokens that a ticket may use. ${RAISE_HINT}; smaller tickets use fewer.`
  return { message, until: null }
}

async function ticketTokens(db: Db | Trx, ticketId: string): Promise<number> {
  const { rows } = await sql<{ spent: number }>`
    select coalesce(sum(counted), 0)::bigint as spent from token_usage where ticket_id = ${ticketId}`.execute(
    db,
  )
  return rows[0]?.spent ?? 0
}

const nextMonth = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))

const formatTokens = (tokens: number) => tokens.toLocaleString('en')

const formatMonth = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
