import * as z from 'zod'
import type { Context } from '../http/context.ts'
import { loadProject } from '../projects/projects.ts'
import { sumTokenUsage } from '../usage/sum-token-usage.ts'

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

export const Usage = z
  .object({
    total: Spent,
    models: z.array(Spent.extend({ provider: z.string(), model: z.string() })),
  })
  .meta({ id: 'Usage' })

/** Tokens a project has spent, in all and per model: builds, plan turns and captures, failed ones included. */
export async function readUsage(ctx: Context, projectId: string): Promise<z.output<typeof Usage>> {
  await loadProject(ctx, projectId)
  return sumTokenUsage(ctx.db, projectId)
}
