import { setTimeout as sleep } from 'node:timers/promises'
import { type BareMiniflare, openMiniflare } from '../ceilings/miniflare.ts'
import { deployNoteWorkers } from '../ceilings/workers.ts'
import { AppClient } from '../harness/app-client.ts'
import { atLeast, atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import { childrenNamed, privateMb } from '../harness/memory.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { loadOf, SEEDED_NOTES, seed, shipNotes } from '../worlds/notes-app.ts'
import { openWorkbench, type Workbench } from '../worlds/workbench.ts'

export const appHost: Benchmark = {
  id: 'P23',
  name: 'app-host',
  measures: 'What the local cloud takes for an app: its router, the first hit of a cold app, memory',
  goals: [
    'through the router >= 0.35 of the direct socket',
    'cold first hit <= 2.5 of a bare Miniflare start',
    'what one more warm app takes <= 70 MB',
  ],
  tools: ['wrk'],
  run: measureHost,
}

const SETTLE_MS = 3000

async function measureHost(options: Options): Promise<MeasuredFigure[]> {
  const [workbench, miniflare] = [await openWorkbench(), openMiniflare()]
  try {
    const url = await shipNotes(workbench)
    await seed(url)
    await stopApp(workbench, url)
    const memory = await measureMemory(workbench, url)
    const cold = await measureCold(workbench, miniflare, { url, rounds: options.rounds ?? 7 })
    return [await measureRouter(workbench, miniflare, options), cold, memory]
  } finally {
    miniflare.close()
    await workbench.close()
  }
}

/**
 * Compares the requests per second of a worker behind the router of the local Cloudflare emulator with the requests per second of the same
 * worker at the socket of a plain Miniflare.
 */
async function measureRouter(
  { service }: Workbench,
  miniflare: BareMiniflare,
  options: Options,
): Promise<MeasuredFigure> {
  const [{ object }, bare] = [await deployNoteWorkers(service), await miniflare.start()]
  try {
    await seed(object)
    await seed(bare)
    const measure = (name: string, at: string, url: string): Target => ({
      name,
      measure: () => measureLoad(at, loadOf(url, 'GET'), { seconds: options.seconds, pids: [] }),
    })
    const router = `http://127.0.0.1:${service.appsPort}`
    const targets: [Target, Target] = [
      measure('router', router, object),
      measure('direct socket', bare, bare),
    ]
    const series = await measureRounds(targets, options.rounds ?? 3)
    const [requests] = loadFigures(series, {
      targets,
      rows: SEEDED_NOTES,
      requests: atLeast(0.35),
      cpu: null,
    })
    return { ...requests, figure: 'list of 20 through the router', cpuUs: null }
  } finally {
    await miniflare.stop()
  }
}

/**
 * Measures the time from a request to a stopped app to its response, and compares it with starting a
 * Miniflare and requesting its worker once.
 */
async function measureCold(
  workbench: Workbench,
  miniflare: BareMiniflare,
  { url, rounds }: { url: string; rounds: number },
): Promise<MeasuredFigure> {
  const [ours, bare]: [number[], number[]] = [[], []]
  // The first round only warms up, so its figures are dropped.
  for (let round = 0; round <= rounds; round++) {
    await stopApp(workbench, url)
    const coldMs = await timeMs(() => waitForFirstResponse(url))
    const bareMs = await timeMs(async () => waitForFirstResponse(await miniflare.start()))
    await miniflare.stop()
    if (round === 0) continue
    ours.push(coldMs)
    bare.push(bareMs)
  }
  const ratio = ratios(ours, bare)
  return absolute({
    figure: 'cold first hit',
    unit: 'ms',
    value: median(ours),
    against: 'a Miniflare start',
    baseline: median(bare),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(2.5),
    rounds,
    steady: isSteady(ratio, bare),
  })
}

async function measureMemory({ service }: Workbench, url: string): Promise<MeasuredFigure> {
  await waitForFirstResponse(url)
  await sleep(SETTLE_MS)
  const apps = childrenNamed(service.pid, 'workerd')
  const [app] = apps
  if (app === undefined || apps.length > 1) throw new Error(`${apps.length} apps are warm, one was expected`)
  const value = privateMb(app)
  return absolute({ figure: 'one more warm app', unit: 'MB', value, goal: atMost(70), rounds: 1 })
}

async function stopApp({ api, service }: Workbench, url: string): Promise<void> {
  const path = '/connections/cloudflare/accounts'
  const { chosen: account } = await api.call<{ chosen: string }>('GET', path)
  const script = new URL(url).hostname.split('.')[0]
  const response = await fetch(`${service.worldUrl}/_control/apps/${script}/stop`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.controlToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account }),
  })
  const { stopped } = (await response.json()) as { stopped: boolean }
  if (!stopped) throw new Error(`${script} was not stopped`)
}

async function waitForFirstResponse(url: string): Promise<void> {
  const app = new AppClient(url)
  try {
    const { status, text } = await app.get('/api/notes')
    if (status !== 200) throw new Error(`${url} answered ${status} ${text}`)
  } finally {
    app.close()
  }
}

async function timeMs(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
