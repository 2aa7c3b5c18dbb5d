import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type Measured } from '../harness/figure.ts'
import { residentMb } from '../harness/memory.ts'
import { makeFolder } from '../harness/place.ts'
import { startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { startService } from '../harness/service.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import { addActivity, ROWS } from './export-rows.ts'
import { AUTHORIZATION, type Side, startCeiling } from './sides.ts'

export const exportActivity: Benchmark = {
  id: 'P15',
  name: 'export',
  measures: 'The activity log of a million rows as CSV',
  goals: ['time <= 1.3x a bare cursor loop', 'first byte <= 200 ms', 'memory <= 64 MB more than idle'],
  tools: [],
  run: measureExport,
}

interface Sample {
  ms: number
  firstByteMs: number
  extraMb: number
}

async function measureExport(options: Options): Promise<Measured[]> {
  const server = await startServer()
  try {
    const copy = await server.copy(await ensureTemplate(server, '10k'))
    progress('Adding a million rows ...')
    await addActivity(copy.url)
    const ceiling = await startCeiling('export-cursor', copy.url)
    // Its secrets belong to the database, so they are kept while the services change.
    const dataDir = makeFolder()
    const [ours, loop]: [Sample[], number[]] = [[], []]
    for (let round = 0; round < (options.rounds ?? 5); round++) {
      // Alternate which goes first, because the second one reads from the cache.
      if (round % 2 === 0) loop.push(await readBare(ceiling))
      ours.push(await exportFresh(copy.url, dataDir))
      if (round % 2 === 1) loop.push(await readBare(ceiling))
      const { ms, firstByteMs, extraMb } = ours.at(-1) as Sample
      progress(
        `  round ${round + 1}  export ${ms.toFixed(0)} ms (first byte ${firstByteMs.toFixed(0)} ms, +${extraMb.toFixed(0)} MB)  loop ${loop.at(-1)?.toFixed(0)} ms`,
      )
    }
    await ceiling.stop()
    await copy.drop()
    return figures(ours, loop)
  } finally {
    await server.stop()
  }
}

/** A new service for each round, because one allows three exports a minute. */
async function exportFresh(databaseUrl: string, dataDir: string): Promise<Sample> {
  const product = await startService({ localWorld: false, databaseUrl, dataDir })
  try {
    // Warm, like the yardstick; memory counts from before.
    await sleep(500)
    const idleMb = residentMb(product.pid)
    const first = await exportOnce(product, idleMb)
    const second = await exportOnce(product, idleMb)
    return { ...second, extraMb: Math.max(first.extraMb, second.extraMb) }
  } finally {
    await product.stop()
  }
}

async function exportOnce({ url, pid }: Side, idleMb: number): Promise<Sample> {
  const began = performance.now()
  const answer = await fetch(`${url}/api/v1/activity/export`, { headers: AUTHORIZATION })
  if (!answer.ok || answer.body === null) throw new Error(`the export answered ${answer.status}`)
  let [firstByteMs, lines, extraMb] = [0, 0, 0]
  for await (const chunk of answer.body) {
    if (firstByteMs === 0) firstByteMs = performance.now() - began
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
    extraMb = Math.max(extraMb, residentMb(pid) - idleMb)
  }
  if (lines !== ROWS + 1) throw new Error(`the export has ${lines} lines`)
  return { ms: performance.now() - began, firstByteMs, extraMb }
}

async function readBare({ url }: Side): Promise<number> {
  await fetch(`${url}/read`).then((answer) => answer.arrayBuffer())
  const { rows, ms } = (await (await fetch(`${url}/read`)).json()) as { rows: number; ms: number }
  if (rows !== ROWS) throw new Error(`the bare loop read ${rows} rows`)
  return ms
}

function figures(ours: Sample[], loop: number[]): Measured[] {
  const times = ours.map((sample) => sample.ms)
  const ratio = ratios(times, loop)
  const rounds = ours.length
  const time = absolute({
    figure: 'time',
    unit: 'ms',
    rows: ROWS,
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
    absolute({ figure: 'first byte', unit: 'ms', rows: ROWS, value: first, goal: atMost(200), rounds }),
    absolute({
      figure: 'memory',
      unit: 'MB',
      rows: ROWS,
      value: Math.max(...ours.map((sample) => sample.extraMb)),
      goal: atMost(64),
      rounds,
    }),
  ]
}
