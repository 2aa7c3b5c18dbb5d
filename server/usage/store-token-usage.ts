import type { CallUsage } from '../agent/model/usage.ts'
import type { Trx } from '../db/database.ts'

/** Counts the tokens of one model call for a project: of a build, a plan turn or a capture. */
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
