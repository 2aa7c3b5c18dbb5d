import type { GaugeSource } from '../metrics/metrics.ts'
import type { PlatformPorts } from '../platform.ts'

/** The highest reported number, because counting all deliveries of a longer backlog would take seconds. */
const COUNTED_DELIVERIES_MAX = 100_000

/** Gauges of the pending deliveries of all processes. */
export const deliveryGauges: GaugeSource<PlatformPorts<'pool'>> = {
  gauges: {
    slipway_deliveries_waiting: {
      help: `Deliveries that are due or wait for their next attempt, counted up to ${COUNTED_DELIVERIES_MAX}.`,
    },
    slipway_deliveries_overdue_seconds: {
      help: 'How long the most overdue of them has been due; 0 when none is.',
    },
  },
  async read({ pool, clock }) {
    const { rows } = await pool.query<{ count: number; oldest: Date | null }>(
      `select count(*)::int as count, min(next_at) as oldest
       from (select next_at from deliveries limit ${COUNTED_DELIVERIES_MAX}) counted`,
    )
    const { count = 0, oldest = null } = rows[0] ?? {}
    const overdueMs = oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime())
    return [
      { name: 'slipway_deliveries_waiting', value: count },
      { name: 'slipway_deliveries_overdue_seconds', value: overdueMs / 1000 },
    ]
  },
}
