import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { residentMb } from '../harness/memory.ts'
import { makeFolder } from '../harness/folders.ts'
import { runStatements, startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { startService } from '../harness/service.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import { addActivity, ROW_COUNT } from '../worlds/export-rows.ts'
import { AUTHORIZATION, type Side, startCeiling } from '../worlds/sides.ts'

export const exportActivity: Benchmark = {
  id: 'P15',
  name: 'export',
  measures: 'The activity log of a million rows as CSV, and the account export with it as lines of JSON',
  goals: ['time <= 1.3x a bare cursor loop', 'first byte <= 200 ms', 'memory <= 64 MB more than idle'],
  tools: [],
  run: measureExport,
}

interface Kind {
  name: string
  path: string
  headers: Record<string, string>
  /** The URL path at which the baseline (`ceilings/export-cursor.ts`) reads the same rows as this export. */
  bare: string
  /**
   * The minimum number of lines of a complete export. The account export has more, because it also has rows
   * of other tables.
   */
  lines: number
  end: string
}

const LOOK_MS = 20

const SAMPLE_PERSON = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'correct horse battery' }

interface Sample {
  ms: number
  firstByteMs: number
  extraMb: number
}

async function measureExport(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  try {
    const copy = await server.copy(await ensureTemplate(server, '10k'))
    progress('Adding a million rows ...')
    await addActivity(copy.url)
    const ceiling = await startCeiling('export-cursor', copy.url)
    // All services of this benchmark share a data folder, because a service refuses a database whose secrets were encrypted with the key in
    // another data folder.
    const dataDir = makeFolder()
    const measured: MeasuredFigure[] = []
    const place = { databaseUrl: copy.url, dataDir, ceiling, rounds: options.rounds ?? 5 }
    for (const kind of await kindsOf(copy.url, dataDir)) measured.push(...(await measureKind(place, kind)))
    await ceiling.stop()
    await copy.drop()
    return measured
  } finally {
    await server.stop()
  }
}

async function measureKind(
  {
    databaseUrl,
    dataDir,
    ceiling,
    rounds,
  }: { databaseUrl: string; dataDir: string; ceiling: Side; rounds: number },
  kind: Kind,
): Promise<MeasuredFigure[]> {
  const [ours, loop]: [Sample[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    // Alternate the order, because the first side reads the rows from disk, and the second side reads them from the cache of Postgres.
    if (round % 2 === 0) loop.push(await readBare(ceiling, kind))
    const sample = await exportFromFreshService(databaseUrl, dataDir, kind)
    ours.push(sample)
    if (round % 2 === 1) loop.push(await readBare(ceiling, kind))
    const { ms, firstByteMs, extraMb } = sample
    progress(
      `  ${kind.name} round ${round + 1}  export ${ms.toFixed(0)} ms (first byte ${firstByteMs.toFixed(0)} ms, +${extraMb.toFixed(0)} MB)  loop ${loop.at(-1)?.toFixed(0)} ms`,
    )
  }
  return exportFigures(kind, ours, loop)
}

/**
 * Returns the two exports to measure. Signs up an owner first, because an account is exported with a session,
 * not with an API key.
 */
async function kindsOf(databaseUrl: string, dataDir: string): Promise<Kind[]> {
  const product = await startService({ localWorld: false, databaseUrl, dataDir })
  const response = await fetch(`${product.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify(SAMPLE_PERSON),
  })
  await product.stop()
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`)
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  await runStatements(databaseUrl, [
    `update member set "organizationId" = 'org_1' where "userId" in (select id from "user" where email = '${SAMPLE_PERSON.email}')`,
    `update session set "activeOrganizationId" = 'org_1'`,
  ])
  const csv = {
    name: 'activity',
    path: '/activity/export',
    headers: AUTHORIZATION,
    bare: '/read',
    lines: ROW_COUNT + 1,
    end: '',
  }
  const account = {
    name: 'account',
    path: '/account/export',
    headers: { cookie },
    bare: '/read?account',
    lines: ROW_COUNT + 2,
    end: '"kind":"end"',
  }
  return [csv, account]
}

/**
 * Starts a new service for each round, because one service allows three exports a minute. Returns the figures
 * of the second export, because the first one warms up the service.
 */
async function exportFromFreshService(databaseUrl: string, dataDir: string, kind: Kind): Promise<Sample> {
  const product = await startService({ localWorld: false, databaseUrl, dataDir })
  try {
    // Wait until the service is idle: an export's memory is measured as the increase over the memory of the idle service.
    await sleep(500)
    const idleMb = residentMb(product.pid)
    const first = await exportOnce(product, kind, idleMb)
    const second = await exportOnce(product, kind, idleMb)
    return { ...second, extraMb: Math.max(first.extraMb, second.extraMb) }
  } finally {
    await product.stop()
  }
}

/** Reads the whole response with as little work as possible, because this process shares the cores with the service. */
async function exportOnce({ url, pid }: Side, kind: Kind, idleMb: number): Promise<Sample> {
  let [firstByteMs, lines, extraMb] = [0, 0, 0]
  let last: Buffer = Buffer.alloc(0)
  const look = setInterval(() => (extraMb = Math.max(extraMb, residentMb(pid) - idleMb)), LOOK_MS)
  try {
    const began = performance.now()
    const call = get(`${url}/api/v1${kind.path}`, { headers: kind.headers })
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`the export answered ${response.statusCode}`)
    response.on('data', (chunk: Buffer) => {
      if (firstByteMs === 0) firstByteMs = performance.now() - began
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
      last = chunk
    })
    await once(response, 'end')
    const ms = performance.now() - began
    if (lines < kind.lines || !last.includes(kind.end)) throw new Error(`the export has ${lines} lines`)
    return { ms, firstByteMs, extraMb }
  } finally {
    clearInterval(look)
  }
}

async function readBare({ url }: Side, { bare }: Kind): Promise<number> {
  await fetch(`${url}${bare}`).then((response) => response.arrayBuffer())
  const { rows, ms } = (await (await fetch(`${url}${bare}`)).json()) as { rows: number; ms: number }
  // There may be more rows than the seeded ones, because every account export is recorded in the activity log.
  if (rows < ROW_COUNT) throw new Error(`the bare loop read ${rows} rows`)
  return ms
}

function exportFigures({ name }: Kind, ours: Sample[], loop: number[]): MeasuredFigure[] {
  const times = ours.map((sample) => sample.ms)
  const ratio = ratios(times, loop)
  const rounds = ours.length
  const time = absolute({
    figure: `${name} time`,
    unit: 'ms',
    rows: ROW_COUNT,
    value: median(times),
    goal: atMost(1.3),
    rounds,
  })
  const first = median(ours.map((sample) => sample.firstByteMs))
  return [
    {
      ...time,
      against: 'export-cursor',
      baseline: median(loop),
      ratio: ratio.median,
      ratioMin: ratio.min,
      ratioMax: ratio.max,
      steady: isSteady(ratio, loop),
    },
    absolute({
      figure: `${name} first byte`,
      unit: 'ms',
      rows: ROW_COUNT,
      value: first,
      goal: atMost(200),
      rounds,
    }),
    absolute({
      figure: `${name} memory`,
      unit: 'MB',
      rows: ROW_COUNT,
      value: Math.max(...ours.map((sample) => sample.extraMb)),
      goal: atMost(64),
      rounds,
    }),
  ]
}
