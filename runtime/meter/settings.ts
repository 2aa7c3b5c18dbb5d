import type { Meter } from './counters.ts'
import type { MeterSpec } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

/**
 * Returns the meter with the operator's limit if there is one, otherwise with the limit in `app.json`. Rounds the limit down to whole
 * units.
 */
export function meterWithLimit(limits: Readonly<Record<string, number>>, spec: MeterSpec): Meter {
  const limit = Object.hasOwn(limits, spec.key) ? (limits[spec.key] ?? spec.limit) : spec.limit
  return {
    key: spec.key,
    window: spec.window,
    // A number cannot represent larger integers exactly.
    limit: Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER),
  }
}

/**
 * Returns the operator's limits; none in an app that was deployed with plain wrangler instead of by Slipway.
 */
export function meterLimitsOf(env: unknown): Record<string, number> {
  const text = fieldsOf(env)['METER_LIMITS']
  const limits: unknown = typeof text === 'string' ? JSON.parse(text) : {}
  if (typeof limits !== 'object' || limits === null) return {}
  return Object.fromEntries(
    Object.entries(limits).filter(
      (one): one is [string, number] => typeof one[1] === 'number' && one[1] >= 0,
    ),
  )
}
