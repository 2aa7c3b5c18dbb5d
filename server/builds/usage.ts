import { sql } from 'kysely'
import * as z from 'zod'
import type { Context } from '../http/context.ts'
import { loadProject } from '../projects/projects.ts'

const Spent = z.object({
  input: z.int().describe('What was read from the cache is part of it.'),
  output: z.int(),
  reasoning: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  estimated: z
    .boolean()
    .describe('Whether a part of the sum was estimated, because the provider sent no numbers.'),
  runs: z.int(),
})
type Spent = z.output<typeof Spent>

export const Usage = z
  .object({
    total: Spent,
    models: z.array(Spent.extend({ provider: z.string(), model: z.string() })),
  })
  .meta({ id: 'Usage' })

/** Tokens a project has spent, in all and per model: builds, plan turns and captures, failed ones included. */
export async function readUsage(ctx: Context, projectId: string): Promise<z.output<typeof Usage>> {
  await loadProject(ctx, projectId)
  const { rows } = await sql<Spent & { provider: string | null; model: string | null }>`
    select provider, model,
      coalesce(sum(input), 0) as input, coalesce(sum(output), 0) as output,
      coalesce(sum(reasoning), 0) as reasoning, coalesce(sum(cache_read), 0) as "cacheRead",
      coalesce(sum(cache_write), 0) as "cacheWrite", coalesce(bool_or(estimated), false) as estimated,
      count(distinct run_id) as runs
    from token_usage where project_id = ${projectId}
    group by grouping sets ((), (provider, model))
    order by provider nulls first, model`.execute(ctx.db)
  const models = rows.flatMap(({ provider, model, ...spent }) =>
    provider === null || model === null ? [] : [{ provider, model, ...spent }],
  )
  const [total] = rows.filter((row) => row.provider === null)
  if (total === undefined) throw new Error('a sum over nothing is still a row')
  const { provider: _provider, model: _model, ...sums } = total
  return { total: sums, models }
}
