import type { EntryType } from 'node:perf_hooks'
import type { BrowserContext, Page } from 'playwright-core'

/** What a measured page records about itself, for the functions below to read. */
interface PaintTimes {
  lcpMs: number
  cls: number
  /** First contentful paint. The blocking time is counted from this time on. */
  fcpMs: number
  longTasks: { startMs: number; endMs: number }[]
  paintedMs: number[]
}

/** The globals of the measured page, in which some functions of this file run. These globals do not exist in this process. */
declare const window: { noted: PaintTimes; untilPainted: (isThere: () => boolean) => void }
declare const document: {
  activeElement: object | null
  querySelector(selector: string): { textContent: string; click(): void } | null
}
declare function requestAnimationFrame(callback: (atMs: number) => void): void
declare function addEventListener(type: string, listener: () => void, options: object): void

/** Records paints, layout shifts and long tasks of every page of this context, and adds a timer from an input to its paint. */
export async function watchPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const noted: PaintTimes = { lcpMs: 0, cls: 0, fcpMs: 0, longTasks: [], paintedMs: [] }
    window.noted = noted
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type: type as EntryType,
        buffered: true,
      })
    watch('largest-contentful-paint', (entry) => (noted.lcpMs = entry.startTime))
    watch('layout-shift', (entry) => {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) noted.cls += shift.value
    })
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') noted.fcpMs = entry.startTime
    })
    watch('longtask', ({ startTime, duration }) =>
      noted.longTasks.push({ startMs: startTime, endMs: startTime + duration }),
    )
    window.untilPainted = (isThere) => {
      const began = performance.now()
      const look = () => {
        if (!isThere()) return requestAnimationFrame(look)
        // A message that is posted in an animation frame arrives after that frame was painted.
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => noted.paintedMs.push(performance.now() - began))
        channel.port1.start()
        return channel.port2.postMessage(null)
      }
      requestAnimationFrame(look)
    }
  })
}

export interface Vitals {
  lcpMs: number
  tbtMs: number
  cls: number
}

/** Loads an address with CPU throttled fourfold, and reads what the page recorded, once the page is idle. */
export async function readVitals(context: BrowserContext, url: string): Promise<Vitals> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    const { lcpMs, cls, fcpMs, longTasks } = await page.evaluate(() => window.noted)
    return { lcpMs, cls, tbtMs: blockedMs(longTasks, fcpMs) }
  } finally {
    await page.close()
  }
}

/**
 * Total blocking time: the time that long tasks took after the first contentful paint, without the first 50
 * ms of each.
 */
function blockedMs(tasks: PaintTimes['longTasks'], fcpMs: number): number {
  return tasks.reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, endMs - Math.max(startMs, fcpMs) - 50),
    0,
  )
}

/** Identifies the next page by its heading and by an element that only this page has. */
export interface NextPage {
  heading: string
  part: string
}

/** Milliseconds from a click on a link to the frame that shows the next page, its heading and its content. */
export async function routeChangeMs(page: Page, link: string, next: NextPage): Promise<number> {
  await page.evaluate(
    ({ link, heading, part }) => {
      const target = document.querySelector(link)
      if (!target) throw new Error(`${link} is not on the page`)
      window.untilPainted(
        () =>
          document.querySelector('h1')?.textContent.includes(heading) === true &&
          document.querySelector(part) !== null,
      )
      target.click()
    },
    { link, ...next },
  )
  return lastPainted(page)
}

/** Milliseconds from a key press to the next frame. */
export async function keyToPaintMs(page: Page, key: string): Promise<number> {
  await page.evaluate(() =>
    addEventListener('keydown', () => window.untilPainted(() => true), { once: true, capture: true }),
  )
  await page.keyboard.press(key)
  return lastPainted(page)
}

/** Milliseconds from a key press to the frame in which another ticket has the focus. */
export async function keyToTicketMs(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    const before = document.activeElement
    addEventListener('keydown', () => window.untilPainted(() => document.activeElement !== before), {
      once: true,
      capture: true,
    })
  })
  await page.keyboard.press(key)
  return lastPainted(page)
}

/** How often a page was painted, and the 99th percentile of its frame times. */
export interface Frames {
  perSecond: number
  p99Ms: number
}

export async function countFrames(page: Page, seconds: number): Promise<Frames> {
  const paintedMs = await page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const painted: number[] = []
        const look = (atMs: number) => {
          painted.push(atMs)
          if (atMs - painted[0]! < ms) requestAnimationFrame(look)
          else resolve(painted)
        }
        requestAnimationFrame(look)
      }),
    seconds * 1000,
  )
  const gapsMs = paintedMs.slice(1).map((atMs, index) => atMs - paintedMs[index]!)
  gapsMs.sort((a, b) => a - b)
  return { perSecond: gapsMs.length / seconds, p99Ms: gapsMs[Math.floor(gapsMs.length * 0.99)] ?? 0 }
}

async function lastPainted(page: Page): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const [ms] = await page.evaluate(() => window.noted.paintedMs.splice(0))
    if (ms !== undefined) return ms
    await page.waitForTimeout(25)
  }
  throw new Error('nothing was painted in five seconds')
}
