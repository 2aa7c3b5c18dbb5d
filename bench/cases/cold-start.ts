import { rmSync } from 'node:fs'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { makeFolder } from '../harness/folders.ts'
import { progress } from '../harness/progress.ts'
import { startService } from '../harness/service.ts'
import { median } from '../harness/statistics.ts'

export const coldStart: Benchmark = {
  id: 'P16',
  name: 'cold-start',
  measures: 'Start to the first good /health, with embedded database and local world',
  goals: ['first start ever <= 5 s', 'later starts <= 1.5 s'],
  tools: [],
  run: measureStarts,
}

async function measureStarts(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 3
  const [first, later, killed]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const dataDir = makeFolder()
    try {
      first.push(await measureStart(dataDir, 'SIGTERM'))
      later.push(await measureStart(dataDir, 'SIGKILL'))
      killed.push(await measureStart(dataDir, 'SIGTERM'))
    } finally {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
    const shown = [first, later, killed].map((times) => `${times.at(-1)?.toFixed(2)} s`)
    progress(`  round ${round + 1}/${rounds}  first ${shown[0]}  later ${shown[1]}  after a kill ${shown[2]}`)
  }
  const figure = (name: string, times: number[], bound: number | null) =>
    absolute({
      figure: name,
      unit: 's',
      value: median(times),
      goal: bound === null ? null : atMost(bound),
      rounds,
    })
  return [
    figure('first start', first, 5),
    figure('later start', later, 1.5),
    figure('start after a kill', killed, null),
  ]
}

async function measureStart(dataDir: string, signal: NodeJS.Signals): Promise<number> {
  const service = await startService({ localWorld: true, dataDir })
  await service.stop(signal)
  return service.startedMs / 1000
}
