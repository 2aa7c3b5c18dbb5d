import { sql } from 'kysely'
import type { GaugeSource } from '../metrics/metrics.ts'
import type { Core } from '../platform.ts'

/** Reads from the database, so the counts include the builds of all processes. */
export const buildGauges: GaugeSource<Core> = {
  gauges: {
    slipway_builds: {
      help: 'Builds that are queued (a process will take them) or running.',
      labels: ['state'],
    },
    slipway_build_queue_tickets: { help: 'Tickets that wait in the build queues of all projects.' },
    slipway_build_queue_oldest_seconds: {
      help: 'How long the oldest of them has been waiting; 0 when none is.',
    },
  },
  async read({ db, clock }) {
    const { rows: runs } = await sql<{ state: string; count: number }>`
      select state, (select count(*)::int from runs where status in ('queued', 'running') and status = state) as count
      from unnest(array['queued', 'running']) as state`.execute(db)
    const { rows } = await sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, min(created_at) as oldest from build_queue`.execute(db)
    const { count = 0, oldest = null } = rows[0] ?? {}
    const waitedMs = oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime())
    return [
      ...runs.map((row) => ({ name: 'slipway_builds', labels: { state: row.state }, value: row.count })),
      { name: 'slipway_build_queue_tickets', value: count },
      { name: 'slipway_build_queue_oldest_seconds', value: waitedMs / 1000 },
    ]
  },
}
