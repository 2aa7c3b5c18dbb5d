import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

interface TokenSums {
  input: number
  output: number
  reasoning: number
  cacheRead: number
  cacheWrite: number
  /** True when a part of the sum was estimated, because a provider sent no numbers. */
  estimated: boolean
  runs: number
}

export async function sumTokenUsage(
  db: Db,
  projectId: string,
): Promise<{ total: TokenSums; models: (TokenSums & { provider: string; model: string })[] }> {
  const { rows } = await sql<TokenSums & { provider: string | null; model: string | null }>`
    select provider, model,
      coalesce(sum(input), 0) as input, coalesce(sum(output), 0) as output,
      coalesce(sum(reasoning), 0) as reasoning, coalesce(sum(cache_read), 0) as "cacheRead",
      coalesce(sum(cache_write), 0) as "cacheWrite", coalesce(bool_or(estimated), false) as estimated,
      count(distinct run_id) as runs
    from token_usage where project_id = ${projectId}
    group by grouping sets ((), (provider, model))
    order by provider nulls first, model`.execute(db)
  const models = rows.flatMap(({ provider, model, ...spent }) =>
    provider === null || model === null ? [] : [{ provider, model, ...spent }],
  )
  const [total] = rows.filter((row) => row.provider === null)
  if (total === undefined) throw new Error('a sum over nothing is still a row')
  const { provider: _provider, model: _model, ...sums } = total
  return { total: sums, models }
}
