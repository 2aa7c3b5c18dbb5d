import { buildGauges } from '../builds/gauges.ts'
import { jobGauges } from '../jobs/gauges.ts'
import { JOB_TABLE } from './job-table.ts'
import { type GaugeSource, Metrics } from '../metrics/metrics.ts'
import type { PlatformPorts, Ports } from '../platform.ts'
import { deliveryGauges } from '../webhooks/gauges.ts'

const poolGauges: GaugeSource<Pick<Ports, 'pool' | 'streamPool'>> = {
  gauges: {
    slipway_database_connections: {
      help: 'Connections of this process: "main" serves requests and jobs, "stream" exports.',
      labels: ['pool', 'state'],
    },
    slipway_database_waiting: {
      help: 'Who waits for a connection of this process; more than 0 for long means that there are too few.',
      labels: ['pool'],
    },
  },
  read: ({ pool, streamPool }) =>
    Object.entries({ main: pool, stream: streamPool }).flatMap(([name, one]) => [
      {
        name: 'slipway_database_connections',
        labels: { pool: name, state: 'busy' },
        value: one.totalCount - one.idleCount,
      },
      { name: 'slipway_database_connections', labels: { pool: name, state: 'idle' }, value: one.idleCount },
      { name: 'slipway_database_waiting', labels: { pool: name }, value: one.waitingCount },
    ]),
}

/**
 * Creates the metrics that docs/guides/metrics.md lists. Returns null, so that nothing is counted, while
 * `SLIPWAY_METRICS_TOKEN` is not set.
 */
export function createMetrics(token: string | null): Ports['metrics'] {
  if (token === null) return null
  const jobs = jobGauges(JOB_TABLE.map(({ name }) => name))
  // The gauges of the pools are read first, because the other gauges use connections of these pools.
  return new Metrics<PlatformPorts<'pool' | 'streamPool'>>(token, [
    poolGauges,
    buildGauges,
    deliveryGauges,
    jobs,
  ])
}
