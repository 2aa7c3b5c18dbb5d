import { type CallUsage, budgetTokens } from '../agent/model/usage.ts'
import type { Trx } from '../db/database.ts'
import { addToMonth } from './token-limits.ts'

/**
 * Counts the tokens of one model call for its project and for the month of its organization. The caller is a build, a reply of the plan
 * agent or a capture (which creates a ticket from a sentence). Call this function last in a transaction, because it locks the
 * organization's count.
 */
export async function storeTokenUsage(
  trx: Trx,
  call: {
    orgId: string
    projectId: string
    /** The run of a build; null for a reply of the plan agent or a capture. */
    build: { runId: string; ticketId: string } | null
    provider: string
    model: string
    usage: CallUsage
    at: Date
  },
): Promise<void> {
  const { usage, build } = call
  const counted = budgetTokens(usage)
  await trx
    .insertInto('token_usage')
    .values({
      project_id: call.projectId,
      run_id: build?.runId ?? null,
      ticket_id: build?.ticketId ?? null,
      provider: call.provider,
      model: call.model,
      input: usage.input,
      output: usage.output,
      reasoning: usage.reasoning,
      cache_read: usage.cacheRead,
      cache_write: usage.cacheWrite,
      estimated: usage.estimated,
      counted,
      created_at: call.at,
    })
    .execute()
  await addToMonth(trx, call.orgId, counted, call.at)
}
