import * as z from 'zod'
import {
  countDays,
  countEvents,
  type DayCount,
  type EventCount,
} from '../../cloudflare/products/analytics-engine.ts'
import { unavailableReason } from '../../connections/unavailable-reason.ts'
import type { Context } from '../../endpoint.ts'
import { systemClock } from '../../lib/clock.ts'
import { requireServing } from '../operator/serving.ts'
import { datasetName } from './declaration.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const WINDOW_DAYS = 30
const SUMMARY_TIMEOUT_MS = 10_000

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
    days: z
      .array(z.object({ day: z.iso.date(), views: z.int(), events: z.int() }))
      .describe('Each day of the window in UTC, the oldest first, also those without events.'),
  }),
  z.object({ state: z.literal('unavailable') }),
])

/**
 * Returns the events of the live app, the most frequent first. Events of the preview are left out, because
 * only the people who build the app cause them.
 */
export async function readSummary(
  ctx: Context<'accounts'>,
  projectId: string,
): Promise<z.output<typeof EventsSummary>> {
  const project = await requireServing(ctx, projectId, 'events')
  try {
    const signal = AbortSignal.timeout(SUMMARY_TIMEOUT_MS)
    const cloud = await ctx.accounts.openCloud({ orgId: project.org_id, actor: 'slipway', project, signal })
    // The account still has the events of an earlier project with the same slug, so begin at this project's creation.
    const since = project.created_at
    const [dataset, window] = [datasetName(project, 'production'), { days: WINDOW_DAYS, since }]
    const [counts, days] = await Promise.all([
      countEvents(cloud, dataset, window),
      countDays(cloud, dataset, window),
    ])
    return {
      state: 'ok',
      windowDays: WINDOW_DAYS,
      items: counts.map(toEventItem),
      days: withMissingDays(days, systemClock.now()),
    }
  } catch (error) {
    if (unavailableReason(error) === null) throw error
    return { state: 'unavailable' }
  }
}

const toEventItem = ({ name, group, count, value, visitors, lastAt }: EventCount) => ({
  name,
  group: group === '' ? null : group,
  count: Math.round(count),
  value,
  visitors: Math.round(visitors),
  lastAt: lastAt.toISOString(),
})

/** Returns every day of the window, so that a chart shows a day without events as a gap. */
function withMissingDays(found: DayCount[], now: Date): DayCount[] {
  const known = new Map(found.map((one) => [one.day, one]))
  return Array.from({ length: WINDOW_DAYS }, (_, i) => {
    const day = new Date(now.getTime() - (WINDOW_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10)
    const { views = 0, events = 0 } = known.get(day) ?? {}
    return { day, views: Math.round(views), events: Math.round(events) }
  })
}
