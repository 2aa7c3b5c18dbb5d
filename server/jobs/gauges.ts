import type { GaugeSource, GaugeReading } from '../metrics/metrics.ts'
import type { Ports } from '../platform.ts'
import { countLiveProcesses } from './presence.ts'

/** Counts the jobs of all processes, because it reads the tables of the job library. */
export function jobGauges(names: readonly string[]): GaugeSource<Pick<Ports, 'pool'>> {
  return {
    gauges: {
      slipway_jobs: { help: 'Jobs that are due, running, or failed for good.', labels: ['job', 'state'] },
      slipway_jobs_overdue_seconds: {
        help: 'How long the oldest due job of its kind has been waiting; 0 when none is.',
        labels: ['job'],
      },
      slipway_processes: {
        help: 'Processes of this installation whose heartbeat is fresh.',
        labels: ['role'],
      },
    },
    async read({ pool }) {
      // The job library stores times of the database's clock, so compare them with that clock.
      const { rows } = await pool.query<
        Record<'due' | 'running' | 'failed' | 'overdue', number> & { name: string }
      >(
        `select name,
           count(j.id) filter (where state < 'active' and start_after <= now())::int as due,
           count(j.id) filter (where state = 'active')::int as running,
           count(j.id) filter (where state = 'failed')::int as failed,
           coalesce(extract(epoch from now() - min(start_after)
             filter (where state < 'active' and start_after <= now())), 0)::float8 as overdue
         from unnest($1::text[]) as name
         left join pgboss.job j using (name)
         group by name`,
        [names],
      )
      const readings: GaugeReading[] = rows.flatMap(({ name, due, running, failed, overdue }) => [
        ...Object.entries({ due, running, failed }).map(([state, value]) => ({
          name: 'slipway_jobs',
          labels: { job: name, state },
          value,
        })),
        { name: 'slipway_jobs_overdue_seconds', labels: { job: name }, value: overdue },
      ])
      for (const [role, value] of Object.entries(await countLiveProcesses(pool)))
        readings.push({ name: 'slipway_processes', labels: { role }, value })
      return readings
    },
  }
}
