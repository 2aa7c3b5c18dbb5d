import * as z from 'zod'
import { countEvents, type EventCount } from '../../cloudflare/analytics-engine.ts'
import { openCloud } from '../../connections/cloud.ts'
import { whyUnavailable } from '../../connections/why-unavailable.ts'
import type { Context } from '../../http/context.ts'
import { requireServing } from '../operator/serving.ts'
import { datasetName } from './declaration.ts'

const WINDOW_DAYS = 30
const LIMIT_MS = 10_000

export const EventsSummary = z.union([
  z.object({
    state: z.literal('ok'),
    windowDays: z.literal(WINDOW_DAYS),
    items: z.array(
      z.object({
        name: z.string(),
        group: z.string().nullable(),
        count: z.number(),
        value: z.number(),
        visitors: z.int(),
        lastAt: z.string(),
      }),
    ),
  }),
  z.object({ state: z.literal('unavailable') }),
])

/** Returns the events of the live app, the most frequent first; those of the preview are the makers' own. */
export async function readSummary(ctx: Context, projectId: string): Promise<z.output<typeof EventsSummary>> {
  const project = await requireServing(ctx, projectId, 'events')
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const cloud = await openCloud(ctx, { orgId: project.org_id, actor: 'slipway', signal })
    // An earlier project may have had the same address, and its points stay in the account.
    const since = project.created_at
    const counts = await countEvents(cloud, datasetName(project, 'production'), { days: WINDOW_DAYS, since })
    return { state: 'ok', windowDays: WINDOW_DAYS, items: counts.map(itemOf) }
  } catch (error) {
    if (whyUnavailable(error) === null) throw error
    return { state: 'unavailable' }
  }
}

const itemOf = ({ name, group, count, value, visitors, lastAt }: EventCount) => ({
  name,
  group: group === '' ? null : group,
  count: Math.round(count),
  value,
  visitors: Math.round(visitors),
  lastAt: lastAt.toISOString(),
})
