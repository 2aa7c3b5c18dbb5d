import { BENCH_KEY } from '../harness/key.ts'
import { atLeast, atMost, type Benchmark, type Options, SEED_SIZES } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import type { Load } from '../harness/load-run.ts'
import { runStatements, startServer } from '../harness/postgres.ts'
import { loadFigures, measureRounds, type Sample, type Target } from '../harness/rounds.ts'
import { median } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import { AUTHORIZATION, type Side, startCeiling, startProduct } from '../worlds/sides.ts'

const loadOf = (path: string, headers: Record<string, string> = {}): Load => ({
  method: 'GET',
  paths: [path],
  headers,
})
const LIVEZ_LOAD = loadOf('/livez')
const ME_LOAD = loadOf('/api/v1/me', AUTHORIZATION)
// A key with one changed character, so that its checksum is wrong.
const MALFORMED_LOAD = loadOf('/api/v1/me', {
  authorization: `Bearer ${BENCH_KEY.replace('bench', 'bencH')}`,
})

export const authCost: Benchmark = {
  id: 'P20',
  name: 'auth-cost',
  measures: 'What it costs to know who calls, and to refuse what cannot be a key',
  goals: [
    'CPU of GET /me beyond GET /livez <= 1.5 of SHA-256 and one SELECT',
    'a malformed key >= 0.7 of /health, without a query',
  ],
  tools: ['wrk'],
  run: measureAuthentication,
}

async function measureAuthentication(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const started: Side[] = []
  try {
    const copy = await server.copy(await ensureTemplate(server, options.rows))
    const product = await startProduct(copy.url)
    started.push(product)
    const bare = await startCeiling('key-look-up', copy.url)
    started.push(bare)
    const load = (side: Side, what: Load, refused = false) =>
      measureLoad(side.url, what, { seconds: options.seconds, pids: [side.pid, server.pid()], refused })
    const target = (name: string, measure: () => Promise<Sample>): Target => ({ name, measure })
    const rows = SEED_SIZES[options.rows]
    const rounds = options.rounds ?? 5

    const known: [Target, Target] = [
      target('slipway', () => beyondLivez(load, product)),
      target('key-look-up', () => beyondLivez(load, bare)),
    ]
    const knownSeries = await measureRounds(known, rounds)
    const goals = { rows, requests: atLeast(0.7), cpu: atMost(1.5) }
    const [, cpu] = loadFigures(knownSeries, { targets: known, ...goals })

    const transactions: number[] = []
    const refused: [Target, Target] = [
      target('malformed', () =>
        withTransactions(copy.url, transactions, options.seconds, () => load(product, MALFORMED_LOAD, true)),
      ),
      target('/health', () => load(product, loadOf('/health'))),
    ]
    const refusedSeries = await measureRounds(refused, rounds)
    const [requests] = loadFigures(refusedSeries, { targets: refused, ...goals })
    return [
      ...(cpu === undefined ? [] : [{ ...cpu, figure: 'look-up cpu' }]),
      ...(requests === undefined ? [] : [{ ...requests, figure: 'malformed key' }]),
      absolute({
        figure: 'malformed key transactions',
        unit: '1/request',
        value: median(transactions),
        goal: atMost(0.02),
        rounds,
      }),
    ]
  } finally {
    for (const side of started) await side.stop()
    await server.stop()
  }
}

type LoadSide = (side: Side, what: Load) => Promise<Sample>

/** Measures requests for `/me`. Returns their CPU time minus that of a minimal response of the same server (`/livez`). */
async function beyondLivez(load: LoadSide, side: Side): Promise<Sample> {
  const livez = await load(side, LIVEZ_LOAD)
  const me = await load(side, ME_LOAD)
  return { ...me, errors: me.errors + livez.errors, cpuUs: me.cpuUs - livez.cpuUs }
}

/** Adds the number of database transactions per request to the sample. The number includes the few transactions of background jobs. */
async function withTransactions(
  url: string,
  counted: number[],
  seconds: number,
  measure: () => Promise<Sample>,
): Promise<Sample> {
  const count = async () => {
    const [row] = await runStatements<{ committed: string }>(url, [
      'select xact_commit::text as committed from pg_stat_database where datname = current_database()',
    ])
    return Number(row?.committed)
  }
  const before = await count()
  const sample = await measure()
  counted.push(((await count()) - before) / (sample.perSecond * seconds))
  return sample
}
