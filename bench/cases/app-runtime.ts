import { deployNoteWorkers } from '../ceilings/workers.ts'
import { atLeast, type Benchmark, type Options } from '../harness/benchmark.ts'
import type { MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { loadOf, SEEDED_NOTES, seed, shipNotes } from '../worlds/notes-app.ts'
import { openWorkbench } from '../worlds/workbench.ts'

export const appRuntime: Benchmark = {
  id: 'P23',
  name: 'app-runtime',
  measures: "A built app's list of twenty records and its writes on the local cloud, through the router",
  goals: ['>= 0.6 of a bare worker with a SQLite object', '>= 1.0 of a bare worker with D1'],
  tools: ['wrk'],
  run: measureRuntime,
}

async function measureRuntime(options: Options): Promise<MeasuredFigure[]> {
  const workbench = await openWorkbench()
  try {
    const ours = await shipNotes(workbench)
    const byHand = await deployNoteWorkers(workbench.service)
    const urls = { ours, 'object worker': byHand.object, 'D1 worker': byHand.d1 }
    const { appsPort } = workbench.service
    for (const url of Object.values(urls)) await seed(url)
    const target = (name: keyof typeof urls, method: 'GET' | 'POST'): Target => ({
      name,
      measure: () =>
        measureLoad(`http://127.0.0.1:${appsPort}`, loadOf(urls[name], method), {
          seconds: options.seconds,
          pids: [],
        }),
    })
    const compare = async (
      what: string,
      method: 'GET' | 'POST',
      against: keyof typeof urls,
      bound: number,
    ) => {
      const targets: [Target, Target] = [target('ours', method), target(against, method)]
      const series = await measureRounds(targets, options.rounds ?? 3)
      const [requests] = loadFigures(series, {
        targets,
        rows: SEEDED_NOTES,
        requests: atLeast(bound),
        cpu: null,
      })
      return { ...requests, figure: what, cpuUs: null }
    }
    return [
      await compare('list of 20', 'GET', 'object worker', 0.6),
      await compare('list of 20', 'GET', 'D1 worker', 1),
      await compare('write', 'POST', 'object worker', 0.6),
      await compare('write', 'POST', 'D1 worker', 1),
    ]
  } finally {
    await workbench.close()
  }
}
