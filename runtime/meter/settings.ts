import type { Meter } from './counters.ts'
import type { MeterSpec } from './types.ts'

/** The operator's limit, or what the app declares. Only whole units are counted. */
export function meterWith(limits: Readonly<Record<string, number>>, spec: MeterSpec): Meter {
  const limit = Object.hasOwn(limits, spec.key) ? (limits[spec.key] ?? spec.limit) : spec.limit
  return {
    key: spec.key,
    window: spec.window,
    // A sum above it would not be exact.
    limit: Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER),
  }
}

/** A worker that was deployed by hand has none. */
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
