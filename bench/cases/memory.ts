import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { generate } from '../harness/load.ts'
import { residentMb } from '../harness/memory.ts'
import { progress } from '../harness/progress.ts'
import { median } from '../harness/statistics.ts'
import { FIRST_BUILD } from '../worlds/sample-app.ts'
import { openWorkbench } from '../worlds/workbench.ts'

const MB_MAX = 250

export const memory: Benchmark = {
  id: 'P17',
  name: 'memory',
  measures: 'Resident memory of the service process: not Postgres, local world, workerd or checkers',
  goals: [`idle, after a build and after load <= ${MB_MAX} MB`],
  tools: ['wrk'],
  run: measureMemory,
}

/** The wait before each measurement, in which the service collects its garbage, so that only memory still in use counts. */
const SETTLE_MS = 3000

async function measureMemory(options: Options): Promise<MeasuredFigure[]> {
  const workbench = await openWorkbench()
  try {
    const { service, api, createProject, build } = workbench
    const idle = await settledMb(service.pid)
    const projectId = await createProject()
    await build(projectId, FIRST_BUILD)
    const afterBuild = await settledMb(service.pid)
    const { key } = await api.call<{ key: string }>('POST', '/keys', { name: 'bench' })
    const load = {
      method: 'GET' as const,
      paths: [`/api/v1/projects/${projectId}`, `/api/v1/projects/${projectId}/tickets`],
      headers: { authorization: `Bearer ${key}` },
    }
    const { requests, errors } = await generate(service.url, load, options.seconds * 5)
    progress(`  ${requests} requests`)
    const afterLoad = await settledMb(service.pid)
    const figure = (name: string, value: number, errors = 0) =>
      absolute({ figure: name, unit: 'MB', value, goal: atMost(MB_MAX), rounds: 1, errors })
    return [
      figure('idle', idle),
      figure('after a build', afterBuild),
      figure('after load', afterLoad, errors),
    ]
  } finally {
    await workbench.close()
  }
}

async function settledMb(pid: number): Promise<number> {
  await sleep(SETTLE_MS)
  const samples: number[] = []
  for (let i = 0; i < 5; i++) {
    samples.push(residentMb(pid))
    await sleep(100)
  }
  return median(samples)
}
