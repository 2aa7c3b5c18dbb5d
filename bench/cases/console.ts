import type { BrowserContext, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { buildConsole } from '../../scripts/console-build.ts'
import { firstView } from '../../test/support/first-view.ts'
import { type Device, LighthouseBrowser, type Scores } from '../../test/support/lighthouse.ts'
import { atLeast, atMost, type Benchmark } from '../harness/benchmark.ts'
import { absolute, type Goal, type MeasuredFigure } from '../harness/figure.ts'
import { seededId } from '../harness/key.ts'
import { startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { median } from '../harness/statistics.ts'
import {
  keyToPaintMs,
  keyToTicketMs,
  readVitals,
  routeChangeMs,
  watchPages,
} from '../worlds/console-probe.ts'
import { streamFigures } from '../worlds/console-stream.ts'
import { type ConsoleWorld, startConsoleWorld } from '../worlds/console-world.ts'

const ROUND_COUNT = 5
const LIGHTHOUSE_ROUNDS = 3
/**
 * The number of presses of the key that selects the next ticket. It exceeds the number of rows that the list renders at first, so that the
 * selection reaches rows that are rendered later.
 */
const MOVE_COUNT = 40
const KIB = 1024
/** The first load of Directus, a comparable console, as shipped: its JavaScript and styles, compressed with gzip. */
const PEER_BYTES = 2244 * KIB
const PROJECT_ID = seededId('prj', 3)
const IN_LIST = `main a[href="${href.project(PROJECT_ID)}"]`

export const consoleBenchmark: Benchmark = {
  id: 'P19',
  name: 'console',
  measures:
    'the first load, every step after it with 10,000 tickets in the project, and a build that is watched',
  goals: [
    'first load ≤ 220 KiB, 0.12x of the peer',
    'LCP ≤ 1.5 s at a quarter of the speed',
    'steps ≤ 100 ms',
    '200 deltas a second for a minute: ≥ 50 frames a second, heap + ≤ 30 MB',
  ],
  tools: ['chromium'],
  async run({ rounds }) {
    await buildConsole()
    return [...(await pageFigures(rounds)), ...(await streamFigures(rounds))]
  },
}

async function pageFigures(rounds: number | null): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const world = await startConsoleWorld(server)
  const browser = await LighthouseBrowser.launch()
  try {
    const outside = await lighthouseFigures(browser, world.service.url + href.signIn(), 'sign-in', rounds)
    await world.signIn(browser.context)
    const inside = await lighthouseFigures(browser, world.service.url + href.projects(), 'projects', rounds)
    await watchPages(browser.context)
    const vitals = await vitalFigures(browser.context, world, rounds ?? ROUND_COUNT)
    const steps = await stepFigures(browser.context, world, rounds ?? ROUND_COUNT)
    return [...sizeFigures(), ...vitals, ...steps, ...outside, ...inside]
  } finally {
    await browser.close()
    await world.stop()
    await server.stop()
  }
}

function sizeFigures(): MeasuredFigure[] {
  const bytes = firstView('index.html', 'shell/app-shell.tsx', 'screens/projects/projects.tsx')
  return [
    figureOf('first load of /projects, gzip', 'bytes', [bytes], atMost(220 * KIB)),
    absolute({
      figure: 'first load of /projects, gzip',
      unit: 'bytes',
      value: bytes,
      against: 'Directus (recorded)',
      baseline: PEER_BYTES,
      ratio: bytes / PEER_BYTES,
      goal: atMost(0.12),
      rounds: 1,
    }),
  ]
}

async function vitalFigures(
  context: BrowserContext,
  world: ConsoleWorld,
  rounds: number,
): Promise<MeasuredFigure[]> {
  const seen = []
  for (let round = 0; round < rounds; round++) {
    const vitals = await readVitals(context, world.service.url + href.projects())
    progress(
      `  LCP ${vitals.lcpMs.toFixed(0)} ms  TBT ${vitals.tbtMs.toFixed(0)} ms  CLS ${vitals.cls.toFixed(3)}`,
    )
    seen.push(vitals)
  }
  return [
    figureOf(
      'LCP of /projects, CPU at a quarter',
      'ms',
      seen.map(({ lcpMs }) => lcpMs),
      atMost(1500),
    ),
    figureOf(
      'TBT of /projects, CPU at a quarter',
      'ms',
      seen.map(({ tbtMs }) => tbtMs),
      atMost(200),
    ),
    figureOf(
      'CLS of /projects',
      'share',
      seen.map(({ cls }) => cls),
      atMost(0.02),
    ),
  ]
}

async function stepFigures(
  context: BrowserContext,
  world: ConsoleWorld,
  rounds: number,
): Promise<MeasuredFigure[]> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto(world.service.url + href.projects())
  const toProject = () => routeChangeMs(page, IN_LIST, { heading: 'Project 3', part: 'main [data-ticket]' })
  const toList = () =>
    routeChangeMs(page, `main a[href="${href.projects()}"]`, { heading: '', part: IN_LIST })
  // The first visit loads the screen's code; only later visits are measured.
  await arriveAt(page)
  await toProject()
  await waitForTickets(page)
  const [into, back]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    back.push(await toList())
    await arriveAt(page)
    into.push(await toProject())
    await waitForTickets(page)
  }
  const moves: number[] = []
  for (let move = 0; move < MOVE_COUNT; move++) moves.push(await keyToTicketMs(page, 'j'))
  const box = page.getByRole('textbox').first()
  await box.focus()
  const keys: number[] = []
  for (const key of 'a sentence of some length') keys.push(await keyToPaintMs(page, key))
  await page.close()
  progress(
    `  into a project ${into.map((ms) => ms.toFixed(0)).join(' ')} ms, back ${back.map((ms) => ms.toFixed(0)).join(' ')} ms`,
  )
  const rows = { rows: 10_000 }
  return [
    { ...figureOf('into a project', 'ms', into, atMost(100)), ...rows },
    { ...figureOf('back to the projects', 'ms', back, atMost(100)), ...rows },
    { ...figureOf('from a key to its paint', 'ms', keys, atMost(50)), ...rows },
    { ...figureOf('from a key to the next ticket', 'ms', moves, atMost(50)), ...rows },
  ]
}

const arriveAt = (page: Page) => page.locator(IN_LIST).waitFor()

async function waitForTickets(page: Page): Promise<void> {
  await page
    .getByText(/^Ticket \d+ about/)
    .first()
    .waitFor()
  await page.waitForTimeout(500)
}

async function lighthouseFigures(
  browser: LighthouseBrowser,
  url: string,
  name: string,
  rounds: number | null,
): Promise<MeasuredFigure[]> {
  const figures: MeasuredFigure[] = []
  const goals: [Device, number][] = [
    ['mobile', 0.9],
    ['desktop', 0.95],
  ]
  for (const [device, goal] of goals) {
    const runs: Scores[] = []
    for (let round = 0; round < Math.min(rounds ?? LIGHTHOUSE_ROUNDS, LIGHTHOUSE_ROUNDS); round++) {
      const scores = await browser.run(url, device, ['performance', 'accessibility'])
      progress(
        `  Lighthouse ${name} ${device}: ${scores.performance} ${scores.accessibility} ${scores.failed.join(' ')}`,
      )
      runs.push(scores)
    }
    const take = (what: 'performance' | 'accessibility') => runs.map((scores) => scores[what])
    figures.push(
      figureOf(`Lighthouse performance, /${name}, ${device}`, 'score', take('performance'), atLeast(goal)),
      figureOf(`Lighthouse accessibility, /${name}, ${device}`, 'score', take('accessibility'), atLeast(1)),
    )
  }
  return figures
}

const figureOf = (figure: string, unit: string, values: number[], goal: Goal): MeasuredFigure =>
  absolute({ figure, unit, value: median(values), goal, rounds: values.length })
