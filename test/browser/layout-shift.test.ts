import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { openTab } from './browser.ts'
import { type Screen, untilRoleVisible } from './screens/screen.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

/** The delay of each response of the service, so that parts that are loaded separately appear one after the other. */
const LATE_MS = 300
/** A page counts as loaded when it has sent no request for this time after a response. */
const QUIET_MS = 400
/** The time limit for a page that keeps sending requests. A page that exceeds it fails the test. */
const QUIET_MS_MAX = 30_000
/** The layout shift score (CLS) that a page may have: a fifth of the limit for "good" (https://web.dev/articles/cls). */
const SHIFT_MAX = 0.02

describe('pages of a project while they load slowly', () => {
  let world: BrowserWorld
  let screens: Screen[]

  before(async () => {
    world = await openBrowserWorld()
    const { person } = world
    const { projectId } = await world.build('Track the plants in my office: name, room, last watered date')
    await person.call(`PUT /projects/${projectId}/capabilities/auth`, { enabled: true })
    await person.call(`POST /projects/${projectId}/deploy`, {})
    const runs = await person.call<{ items: { id: string }[] }>(`GET /projects/${projectId}/runs`)
    screens = [
      { name: 'ship', path: href.ship(projectId), ready: untilRoleVisible('heading', 'Delete project') },
      {
        name: 'settings',
        path: href.projectSettings(projectId),
        ready: untilRoleVisible('heading', 'Delete project'),
      },
      {
        name: 'insights',
        path: href.insights(projectId),
        ready: untilRoleVisible('heading', 'What went wrong'),
      },
      {
        name: 'run',
        path: href.run(projectId, runs.items[0]?.id ?? ''),
        ready: untilRoleVisible('heading', 'Build log'),
      },
      {
        name: 'tickets',
        path: href.project(projectId, { pane: 'tickets' }),
        ready: untilRoleVisible('button', /Track the plants/),
      },
      {
        name: 'capability settings',
        path: href.capability(projectId, 'auth'),
        ready: untilRoleVisible('button', 'Save settings'),
      },
      {
        name: 'people of the app',
        path: href.capability(projectId, 'auth', { tab: 'live' }),
        ready: untilRoleVisible('heading', 'Messages that were not sent'),
      },
    ]
  })
  after(() => world?.close())

  for (const width of [1280, 390] as const)
    test(`at ${width} px, parts of a page that load late do not move shown parts`, async () => {
      const options: BrowserContextOptions = {
        viewport: { width, height: 844 },
        ...(width === 390 && { hasTouch: true, isMobile: true }),
      }
      const { context } = await world.open('Ada', options)
      await context.addInitScript({ content: WATCH })
      await context.route('**/api/**', async (route) => {
        await sleep(LATE_MS)
        // Ignore the error: the page may have been closed meanwhile.
        await route.continue().catch(() => {})
      })
      const found: string[] = []
      const left = screens.values()
      const visitScreens = async () => {
        for (const { name, path, ready } of left) {
          const { page } = await openTab(context)
          const untilQuiet = watchReads(page)
          await page.goto(world.url + path)
          await ready(page)
          await untilQuiet()
          const moved = await page.evaluate<number>('window.moved')
          if (moved > SHIFT_MAX) found.push(`${name}: ${moved.toFixed(3)}`)
          await page.close()
        }
      }
      await Promise.all([visitScreens(), visitScreens()])
      assert.deepEqual(found, [])
      await context.close()
    })
})

const pathOf = (request: Request) => new URL(request.url()).pathname

/**
 * Returns a function that waits until the page has sent no request for a moment. The returned function rejects with the open requests after
 * `QUIET_MS_MAX`.
 */
function watchReads(page: Page): () => Promise<void> {
  const reads = { open: new Set<Request>(), lastAt: performance.now() }
  const recordRequest = (request: Request, isOpen: boolean) => {
    if (!pathOf(request).startsWith('/api/')) return
    if (isOpen) reads.open.add(request)
    else reads.open.delete(request)
    reads.lastAt = performance.now()
  }
  page.on('request', (request) => recordRequest(request, true))
  page.on('requestfinished', (request) => recordRequest(request, false))
  page.on('requestfailed', (request) => recordRequest(request, false))
  return async () => {
    const deadline = performance.now() + QUIET_MS_MAX
    while (reads.open.size > 0 || performance.now() - reads.lastAt < QUIET_MS) {
      if (performance.now() > deadline)
        throw new Error(
          `${page.url()} still reads: ${[...reads.open].map(pathOf).join(', ') || 'one after another'}`,
        )
      await sleep(50)
    }
  }
}

const WATCH = `
  window.moved = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
