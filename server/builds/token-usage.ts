import type { CallUsage } from '../agent/model/usage.ts'
import type { Trx } from '../db/database.ts'

/** Adds the tokens of one model call to a project's account, whatever the call was for. */
export async function storeTokenUsage(
  trx: Trx,
  call: {
    projectId: string
    runId: string | null
    provider: string
    model: string
    usage: CallUsage
    at: Date
  },
): Promise<void> {
  const { usage } = call
  await trx
    .insertInto('token_usage')
    .values({
      project_id: call.projectId,
      run_id: call.runId,
      provider: call.provider,
      model: call.model,
      input: usage.input,
      output: usage.output,
      reasoning: usage.reasoning,
      cache_read: usage.cacheRead,
      cache_write: usage.cacheWrite,
      estimated: usage.estimated,
      created_at: call.at,
    })
    .execute()
}
