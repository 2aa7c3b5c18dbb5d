import { directoryOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { meterWithLimit } from './settings.ts'
import type { MeterUsage } from './types.ts'
import { calendarWindowAt } from '../kernel/window.ts'

/** Returns the usage of the meters of the tier's active release, in the order of `app.json`. */
export async function readUsage(
  objects: Objects,
  tier: Tier,
  limits: Readonly<Record<string, number>>,
): Promise<{ limits: MeterUsage[] }> {
  const directory = directoryOf(objects, tier)
  const active = await directory.dirActive()
  const nowMs = Date.now()
  const used = (active?.manifest.meters ?? []).map(async (spec) => {
    const { key, per, window: kind } = spec
    const { start, end } = calendarWindowAt(kind, nowMs)
    const { spent, people } = await directory.meters('sum', { key, kind, start })
    return {
      key,
      per,
      window: kind,
      limit: meterWithLimit(limits, spec).limit,
      windowStart: end === null ? null : new Date(start).toISOString(),
      windowEnd: end === null ? null : new Date(end).toISOString(),
      spent,
      people,
    }
  })
  return { limits: await Promise.all(used) }
}
