import { atLeast, atMost, type Benchmark, type Options, SEED_SIZES } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { seededId } from '../harness/key.ts'
import { measureLoad } from '../harness/load.ts'
import type { Load } from '../harness/load-run.ts'
import { emptyCommitMs, runStatements, type Server, startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { median } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import { AUTHORIZATION, type Side, startCeiling, startProduct } from '../worlds/sides.ts'

const CREATE_LOAD: Load = {
  method: 'POST',
  paths: Array.from({ length: 10 }, (_, i) => `/api/v1/projects/${seededId('prj', i)}/tickets`),
  headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
  body: JSON.stringify({
    title: 'Show the balance of every account',
    body: 'order invoice account '.repeat(20),
  }),
}

export const ticketCreate: Benchmark = {
  id: 'P4',
  name: 'ticket-create',
  measures: 'POST a ticket with its event, against a bare insert',
  goals: ['requests >= 0.45 of hono-pg', 'one writing transaction per request'],
  tools: ['wrk'],
  run: compareWrites,
}

async function compareWrites(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const transactions: number[] = []
  try {
    const template = await ensureTemplate(server, options.rows)
    progress(`  an empty commit takes ${(await emptyCommitMs(server.urlOf('postgres'))).toFixed(2)} ms`)
    type Start = (url: string) => Promise<Side>
    // The baseline inserts without triggers, so it maintains the same indexes as the product, but no stored
    // counts.
    const startBare: Start = async (url) => {
      await runStatements(url, ['alter table tickets disable trigger user'])
      return startCeiling('hono-pg', url)
    }
    const target = (name: string, start: Start, perRequest: number[]): Target => ({
      name,
      measure: () => measureOnCopy(server, template, start, options.seconds, perRequest),
    })
    const targets: [Target, Target] = [
      target('slipway', startProduct, transactions),
      target('hono-pg', startBare, []),
    ]
    const series = await measureRounds(targets, options.rounds ?? 5)
    const rounds = options.rounds ?? 5
    return [
      ...loadFigures(series, { targets, rows: SEED_SIZES[options.rows], requests: atLeast(0.45), cpu: null }),
      absolute({
        figure: 'transactions',
        unit: '1/request',
        value: median(transactions),
        goal: atMost(1.05),
        rounds,
      }),
    ]
  } finally {
    await server.stop()
  }
}

/** Measures on a new copy of the database, because the rows of an earlier measurement would slow this one. */
async function measureOnCopy(
  server: Server,
  template: string,
  start: (url: string) => Promise<Side>,
  seconds: number,
  perRequest: number[],
) {
  const copy = await server.copy(template)
  try {
    const side = await start(copy.url)
    try {
      const before = await countWrites(copy.url)
      const sample = await measureLoad(side.url, CREATE_LOAD, { seconds, pids: [side.pid, server.pid()] })
      const after = await countWrites(copy.url)
      perRequest.push((after.transactions - before.transactions) / (after.tickets - before.tickets))
      return sample
    } finally {
      await side.stop()
    }
  } finally {
    await copy.drop()
  }
}

/** Counts transactions by their ids. Postgres assigns an id only to a transaction that writes, so reads do not count. */
async function countWrites(url: string): Promise<{ transactions: number; tickets: number }> {
  const [row] = await runStatements<{ transactions: string; tickets: string }>(url, [
    'select pg_snapshot_xmax(pg_current_snapshot())::text as transactions, count(*)::text as tickets from tickets',
  ])
  return { transactions: Number(row?.transactions), tickets: Number(row?.tickets) }
}
