import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { launchBrowser } from '../../test/browser/browser.ts'
import { atLeast, atMost } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { type Frames, countFrames } from './console-probe.ts'
import { openSpokenTicket } from './stream-delta.ts'
import { type SpeakingModel, type Speech, startSpeakingModel } from './stream-model.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

const PER_SECOND = 200
const WATCHED_S = 60
const REST_S = 10
/** The number of words that the model writes: enough for 5 s more than the measurement, so that the measurement ends before the text. */
const PIECE_COUNT = PER_SECOND * (WATCHED_S + 5)
const FRAMES_PER_SECOND = 50
/**
 * The minimum frame rate while a build streams, relative to the frame rate of the idle page: 50 of the usual 60 frames. Unlike
 * `FRAMES_PER_SECOND`, this goal also suits a machine whose idle page has fewer than 60 frames.
 */
const FRAMES_OF_REST = 0.83
const ROUNDS_MAX = 2
/** Within this distance from its end, the log counts as scrolled to the end. */
const NEAR_END_PX = 48

/** Every word is unique, so that a missing word is detected. Sixty words make a paragraph, as in a model's output. */
const TIMED_SPEECH: Speech = {
  words: (piece) => `w${piece}${piece % 60 === 59 ? '\n\n' : ' '}`,
  // Each word has a fixed time since the start, so that a late word does not delay later words.
  pauseMs: (piece, spokenMs) => (piece * 1000) / PER_SECOND - spokenMs,
}

interface Round {
  rest: Frames
  streaming: Frames
  grownMb: number
  missing: number
}

export async function streamFigures(rounds: number | null): Promise<MeasuredFigure[]> {
  const model = await startSpeakingModel(PIECE_COUNT, TIMED_SPEECH)
  const workbench = await openWorkbench()
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
    await context.addCookies(workbench.api.cookies)
    const seen: Round[] = []
    for (let round = 0; round < Math.min(rounds ?? ROUNDS_MAX, ROUNDS_MAX); round++)
      seen.push(await watchBuild(workbench, model, context))
    return figuresOf(seen)
  } finally {
    await browser.close()
    await workbench.close()
    await model.close()
  }
}

async function watchBuild(
  workbench: Workbench,
  model: SpeakingModel,
  context: BrowserContext,
): Promise<Round> {
  const place = await openSpokenTicket(workbench, model.baseUrl)
  const [, , project = '', , ticket = ''] = place.split('/')
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(workbench.service.url + href.project(project, { ticket, tab: 'build' }))
  const start = page.getByRole('button', { name: 'Build this ticket' })
  await start.waitFor()
  // Wait for what the page loads after its first paint.
  await page.waitForTimeout(2000)
  const rest = await countFrames(page, REST_S)
  const before = await heapMb(session)
  await start.click()
  const log = page.getByRole('log')
  await log.getByText('w0 ').waitFor()
  const streaming = await countFrames(page, WATCHED_S)
  const grownMb = (await heapMb(session)) - before
  const leftPx = await page.getByRole('region', { name: 'Build log' }).evaluate(distanceToEnd)
  if (leftPx > NEAR_END_PX) throw new Error(`the reader was left ${leftPx} px behind the end of the log`)
  await page.getByRole('heading', { name: 'The model answered' }).waitFor()
  const missing = PIECE_COUNT - (await readWordCount(page))
  await page.close()
  progress(
    `  ${PER_SECOND} deltas/s for ${WATCHED_S} s: ${describeFrames(streaming)}, at rest ${describeFrames(rest)}, heap + ${grownMb.toFixed(1)} MB`,
  )
  return { rest, streaming, grownMb, missing }
}

const describeFrames = ({ perSecond, p99Ms }: Frames) =>
  `${perSecond.toFixed(1)} frames/s (p99 ${p99Ms.toFixed(0)} ms)`

const distanceToEnd = (area: { scrollHeight: number; scrollTop: number; clientHeight: number }) =>
  area.scrollHeight - area.scrollTop - area.clientHeight

async function readWordCount(page: Page): Promise<number> {
  // The page collapses the log when the build has ended, so include hidden elements.
  const said = await page.getByRole('log', { includeHidden: true }).textContent()
  return new Set(said?.match(/w\d+/g)).size
}

/** The heap in use after a garbage collection, in MB. `embedderHeapUsedSize` is the part of the DOM nodes. */
async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize, embedderHeapUsedSize } = await session.send('Runtime.getHeapUsage')
  return (usedSize + embedderHeapUsedSize) / 1e6
}

function figuresOf(seen: Round[]): MeasuredFigure[] {
  const streaming = seen.map((round) => round.streaming.perSecond)
  const rest = seen.map((round) => round.rest.perSecond)
  const ratio = ratios(streaming, rest)
  const common = {
    rounds: seen.length,
    errors: seen.reduce((sum, { missing }) => sum + missing, 0),
  }
  const frames = {
    figure: `frames while ${PER_SECOND} deltas a second arrive`,
    unit: '1/s',
    value: median(streaming),
    p99Ms: median(seen.map((round) => round.streaming.p99Ms)),
    ...common,
  }
  return [
    absolute({ ...frames, goal: atLeast(FRAMES_PER_SECOND) }),
    absolute({
      ...frames,
      against: 'the page at rest',
      baseline: median(rest),
      ratio: ratio.median,
      ratioMin: ratio.min,
      ratioMax: ratio.max,
      goal: atLeast(FRAMES_OF_REST),
      steady: isSteady(ratio, rest),
    }),
    absolute({
      figure: `heap after ${WATCHED_S} s of ${PER_SECOND} deltas a second`,
      unit: 'MB',
      value: median(seen.map(({ grownMb }) => grownMb)),
      goal: atMost(30),
      ...common,
    }),
  ]
}
