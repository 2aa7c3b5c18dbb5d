import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser } from 'playwright-core'
import {
  type ResponderInput,
  createResponder,
  STUB_ORIGIN,
} from '../../server/agent/check/browser/stub-responses.ts'
import { WarmBrowser } from '../../server/agent/check/browser/browser.ts'
import { findBrowser } from '../../server/agent/check/browser/find.ts'
import { checkPages } from '../../server/agent/check/phases/pages.ts'
import type { Sandbox } from '../../server/agent/check/sandbox/sandbox.ts'
import { bundleApp } from '../../server/agent/bundle/bundle.ts'
import { readManifest } from '../../server/agent/source/manifest.ts'
import { type AppTree, completeTree } from '../../server/agent/source/tree.ts'
import { sampleFiles } from '../../server/testing/apps/sample-app.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { cpuTimeUs } from '../harness/cpu.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'

export const pageCheck: Benchmark = {
  id: 'P25',
  name: 'page-check',
  measures:
    'Three pages seen in a warm browser, with and without records, wide and narrow, judged and pictured',
  goals: ['time <= 1.5 s', 'time <= 0.7 of the same browser that only opens each page in a new tab'],
  tools: ['chromium'],
  run: measurePages,
}

/**
 * The pause before each check. A model needs at least this long between two checks of a build. Meanwhile the warm browser opens the tabs
 * for the next check.
 */
const THINKING_MS = 1_500

const BOARD_PAGE = `import { Board, Page } from '@slipway/app/react'

export default function Rooms() {
  return (
    <Page title="Rooms">
      <Board collection="plants" field="room" onMove={() => {}} />
    </Page>
  )
}
`

async function measurePages(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 9
  const path = findBrowser(process.env['SLIPWAY_CHROMIUM'] ?? null, process.env['PATH'] ?? '')
  if (path === null) throw new Error('no Chromium was found; SLIPWAY_CHROMIUM names one')
  const app = await sampleApp()
  const warm = new WarmBrowser(path)
  const bare = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const [ours, opened, cpu]: [number[], number[], number[]] = [[], [], []]
    // The first round starts both browsers, so it is not counted.
    for (let round = 0; round <= rounds; round++) {
      await sleep(THINKING_MS)
      const seen = await measureWork(() => checkAllPages(warm, app))
      const ceiling = await measureWork(() => openPages(bare, app))
      if (round === 0) continue
      ours.push(seen.ms)
      opened.push(ceiling.ms)
      cpu.push(seen.cpuMs)
      progress(
        `  round ${round}/${rounds}  seen ${seen.ms.toFixed(0)} ms (CPU ${seen.cpuMs.toFixed(0)})  opened ${ceiling.ms.toFixed(0)} ms (CPU ${ceiling.cpuMs.toFixed(0)})`,
      )
    }
    const ratio = ratios(ours, opened)
    return [
      absolute({ figure: 'time', unit: 'ms', value: median(ours), goal: atMost(1500), rounds }),
      absolute({
        figure: 'time to opening',
        unit: 'ms',
        value: median(ours),
        against: 'the same pages only opened',
        baseline: median(opened),
        ratio: ratio.median,
        ratioMin: ratio.min,
        ratioMax: ratio.max,
        goal: atMost(0.7),
        rounds,
        steady: isSteady(ratio, opened),
      }),
      absolute({ figure: 'CPU', unit: 'ms', value: median(cpu), goal: null, rounds }),
    ]
  } finally {
    await Promise.all([warm.close(), bare.close()])
  }
}

type App = ResponderInput & { tree: AppTree }

async function sampleApp(): Promise<App> {
  const files = new Map(sampleFiles())
  const manifest = JSON.parse(files.get('app.json') ?? '') as { pages: object[] }
  manifest.pages.push({ path: '/rooms', file: 'Rooms.tsx', title: 'Rooms' })
  files.set('app.json', JSON.stringify(manifest)).set('web/pages/Rooms.tsx', BOARD_PAGE)
  const tree = completeTree(files, new Set(['data']))
  const result = await bundleApp(tree, { parts: ['web'], minify: false, runsPages: true })
  const read = readManifest(tree.get('app.json') ?? '')
  if (!result.ok || !read.ok) throw new Error(`the sample app is broken: ${JSON.stringify(result)}`)
  return { tree, web: result.bundle.web, manifest: read.manifest, sandbox: {} as Sandbox }
}

async function checkAllPages(browser: WarmBrowser, app: App): Promise<void> {
  const { errors, isSeen } = await checkPages({ ...app, browser, hasAccounts: false, changed: [], known: [] })
  if (!isSeen || errors.length > 0) throw new Error(`the sample pages are red: ${JSON.stringify(errors)}`)
}

/** The baseline: opens the same pages in new tabs, without checking them. */
async function openPages(browser: Browser, app: App): Promise<void> {
  const view = async (hasRecords: boolean) => {
    const page = await browser.newPage()
    await page.route(
      '**/*',
      createResponder(app, { hasRecords, isSignedIn: false }, () => {}),
    )
    for (const { path } of app.manifest.pages) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(`${STUB_ORIGIN}${path}`)
      await page.locator('h1').first().waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
    }
    await page.close()
  }
  await Promise.all([view(true), view(false)])
}

async function measureWork(work: () => Promise<void>): Promise<{ ms: number; cpuMs: number }> {
  const [began, cpu] = [performance.now(), cpuTimeUs([process.pid])]
  await work()
  return { ms: performance.now() - began, cpuMs: (cpuTimeUs([process.pid]) - cpu) / 1000 }
}
