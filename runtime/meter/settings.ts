import type { Meter } from './counters.ts'
import type { MeterSpec } from './types.ts'

/** Returns a meter with the limit in force: the operator's, or what the app declares. Only whole units are counted. */
export function meterWith(limits: Readonly<Record<string, number>>, spec: MeterSpec): Meter {
  const limit = Object.hasOwn(limits, spec.key) ? (limits[spec.key] ?? spec.limit) : spec.limit
  return {
    key: spec.key,
    window: spec.window,
    // Above it a sum would not be exact.
    limit: Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER),
  }
}

/** Reads the operator's limits from the live worker's variables; a worker deployed by hand has none. */
export function meterLimitsOf(env: unknown): Record<string, number> {
  const text = (env as Record<string, unknown>)['METER_LIMITS']
  const limits: unknown = typeof text === 'string' ? JSON.parse(text) : {}
  if (typeof limits !== 'object' || limits === null) return {}
  return Object.fromEntries(
    Object.entries(limits).filter(
      (one): one is [string, number] => typeof one[1] === 'number' && one[1] >= 0,
    ),
  )
}
