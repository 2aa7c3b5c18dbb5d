import * as z from 'zod'
import { costUsd } from '../agent/model/prices.ts'
import { TokenUse, readTokenUse } from '../connections/token-limits.ts'
import type { CallerContext } from '../endpoint.ts'
import { loadProject } from '../projects/projects.ts'
import { sumTokenUsage } from '../usage/sum-token-usage.ts'

const Spent = z.object({
  input: z.int().describe('Includes the tokens that were read from the cache.'),
  output: z.int(),
  reasoning: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  estimated: z
    .boolean()
    .describe('Whether a part of the sum was estimated, because the provider sent no numbers.'),
  runs: z.int(),
  costUsd: z
    .number()
    .nullable()
    .describe(
      'At the list prices of the providers; models whose price is not known are left out, null when all are.',
    ),
})

const MedianBuild = z.object({ builds: z.int(), tokens: z.int(), costUsd: z.number().nullable() })
/** How many of the newest green builds the median counts. The median is the estimate for the next build. */
const BUILDS_COUNTED = 20

export const Usage = z
  .object({
    total: Spent,
    models: z.array(Spent.extend({ provider: z.string(), model: z.string() })),
    medianBuild: MedianBuild.nullable().describe(
      `The median of the last green builds, at most ${BUILDS_COUNTED}: an estimate of the next one. Null before the first.`,
    ),
    month: TokenUse.describe('Of the whole organization, with its limits.'),
  })
  .meta({ id: 'Usage' })

/**
 * Returns the tokens that a project has used: for builds, for messages of the plan agent, and for creating tickets from
 * a sentence. Tokens of failed builds and failed messages count too.
 */
export async function readUsage(
  ctx: CallerContext<'db' | 'clock'>,
  projectId: string,
): Promise<z.output<typeof Usage>> {
  await loadProject(ctx, projectId)
  const [{ total, models }, medianBuild, month] = await Promise.all([
    sumTokenUsage(ctx.db, projectId),
    readMedianBuild(ctx, projectId),
    readTokenUse(ctx),
  ])
  const priced = models.map((model) => ({ ...model, costUsd: costUsd(model, model) }))
  const known = priced.flatMap((model) => model.costUsd ?? [])
  const sum = known.length === 0 ? null : known.reduce((a, b) => a + b)
  return { total: { ...total, costUsd: sum }, models: priced, medianBuild, month }
}

async function readMedianBuild(
  ctx: CallerContext<'db'>,
  projectId: string,
): Promise<z.output<typeof MedianBuild> | null> {
  const rows = await ctx.db
    .selectFrom('runs')
    .select(['provider', 'model', 'usage'])
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .where('outcome', '=', 'built')
    .orderBy('created_at', 'desc')
    .limit(BUILDS_COUNTED)
    .execute()
  const tokens = medianOf(rows.map(({ usage }) => usage.input + usage.output))
  if (tokens === null) return null
  const costs = rows.flatMap((row) => costUsd(row, row.usage) ?? [])
  return { builds: rows.length, tokens, costUsd: medianOf(costs) }
}

/** Returns the median, or the lower of the two middle values when the list has an even length. Null for an empty list. */
const medianOf = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
