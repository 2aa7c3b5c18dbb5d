import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { isSoak } from '../support/soak.ts'
import { openTab, showTheme, type Theme, waitForFocus } from './browser.ts'
import { makeScriptedProject } from './scripted-project.ts'
import { signedInScreens } from './screens/signed-in.ts'
import { follow, type Screen, visit } from './screens/screen.ts'
import { SIGNED_OUT_SCREENS } from './screens/signed-out.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const STOPS_MAX = 150
const LOOKS_MAX = 20
/** The elements inside the preview frame belong to the built app and are not checked. */
const BUILT_APP = 'the built app'
const MARGIN_PX = 6
const VIEW = { width: 1280, height: 844 }

describe('keyboard focus', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: VIEW } })
  })
  after(() => world?.close())

  test('the keyboard focus is visible on every focusable element of every page', async () => {
    const screens = await signedInScreens(world)
    const { context } = await world.open('nobody')
    await context.addInitScript(HIDE_CARET)
    const seen = new Set<string>()
    const invisible: string[] = []
    await walkScreens(context, SIGNED_OUT_SCREENS, seen, invisible)
    await context.addCookies(world.person.cookies)
    await walkScreens(context, screens, seen, invisible)
    assert.ok(seen.size >= 60, `only ${seen.size} kinds of stops were seen`)
    assert.deepEqual(invisible, [])
    await context.close()
  })

  test('when “Build all” of a plan disappears because its tickets are queued, the focus moves to the note that says so', async () => {
    const toolCalls = ['Keep a catalogue', 'Take orders'].map((title) => ({
      name: 'create_ticket',
      args: { title, body: 'Seen in the list.', type: 'feature', priority: 'none' },
    }))
    const { projectId } = await makeScriptedProject(world, {
      steps: [{ text: 'Two tickets.', toolCalls }, { text: 'Both are there.' }],
      titles: [],
    })
    const { page, context } = await world.open('Ada')
    // The page only shows what the service returns, so nothing has to be built.
    const queued = [1, 2].map((position) => ({ ticketId: `tkt_${position}`, position }))
    await page.route('**/build/queue', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { data: { queued, skipped: [], openQuestions: [] } } })
        : route.continue(),
    )
    await page.goto(world.url + href.project(projectId))
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.getByLabel('Message to the Plan agent').fill('A shop for plants')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Build all 2' }).press('Enter')
    await waitForFocus(page.getByText('2 tickets added to the queue'))
    await context.close()
  })

  /** Presses Tab through every screen. Adds the elements that look the same with and without the focus to `invisible`. */
  async function walkScreens(
    context: BrowserContext,
    screens: readonly Screen[],
    seen: Set<string>,
    invisible: string[],
  ): Promise<void> {
    const left = screens.values()
    const walkMost = async () => {
      const tab = await openTab(context)
      const camera = await context.newCDPSession(tab.page)
      for await (const { name } of visit(tab, world.url, left, follow))
        for (const fault of await tabThrough(tab.page, camera, seen)) invisible.push(`${name}, ${fault}`)
      await tab.page.close()
    }
    // Use two pages in parallel, because half of the time is waiting for the browser.
    await Promise.all([walkMost(), walkMost()])
  }
})

/** Presses Tab through a page. Returns the elements that look the same without the focus. Skips elements whose kind is in `seen`. */
async function tabThrough(page: Page, camera: CDPSession, seen: Set<string>): Promise<string[]> {
  const invisible: string[] = []
  // All elements share a theme's colors, so each kind of element is checked in one theme, or with `--soak` in both themes.
  let themes: Theme[] = isSoak ? ['light', 'dark'] : [seen.size % 2 === 0 ? 'light' : 'dark']
  await page.evaluate(START_AT_THE_TOP)
  for (let n = 0; n < STOPS_MAX; n++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<Stop | null>(READ_STOP)
    if (stop === null) break
    // Elements with equal classes and parents look alike, so check one of each kind. With `--soak`, check all.
    if (stop.kind === BUILT_APP || (seen.has(stop.kind) && !isSoak)) continue
    seen.add(stop.kind)
    const faults: string[] = []
    for (const theme of themes) {
      await showTheme(page, theme)
      const changed = await measureFocusChange(page, camera)
      // The smallest change that counts as visible: a line of one pixel along an edge.
      if (changed < Math.min(stop.width, 40)) faults.push(`${theme}: ${stop.label} (${changed} px differ)`)
    }
    if (await page.evaluate<boolean>('window.stop_.isConnected')) invisible.push(...faults)
    else {
      // A part of the page that loaded late has replaced the element, so start again at the top.
      seen.delete(stop.kind)
      await page.evaluate(START_AT_THE_TOP)
    }
    // Changing the theme rerenders the whole page, so check the next element in the current theme first.
    themes = themes.toReversed()
  }
  return invisible
}

interface Stop {
  /** The classes of the element and of its parents. */
  kind: string
  label: string
  width: number
}

interface FocusRectangle {
  x: number
  y: number
  width: number
  height: number
  scrollX: number
  scrollY: number
}

/** Returns the number of pixels around the focused element that change when it loses the focus. Restores the focus. */
async function measureFocusChange(page: Page, camera: CDPSession): Promise<number> {
  for (let n = 0; n < LOOKS_MAX; n++) {
    const rectangle = await page.evaluate<FocusRectangle>(READ_RECTANGLE)
    const changed = await countChangedPixels(rectangle, page, camera)
    // Retry when the element moved meanwhile, because the two pictures then show different parts of the page.
    if (isDeepStrictEqual(rectangle, await page.evaluate<FocusRectangle>(READ_RECTANGLE))) return changed
  }
  throw new Error(`${page.url()}: the focused element never stands still`)
}

async function countChangedPixels(
  rectangle: FocusRectangle,
  page: Page,
  camera: CDPSession,
): Promise<number> {
  const x = Math.max(0, rectangle.x - MARGIN_PX)
  const y = Math.max(0, rectangle.y - MARGIN_PX)
  const width = Math.max(1, Math.min(VIEW.width - x, rectangle.width + 2 * MARGIN_PX))
  const height = Math.max(1, Math.min(VIEW.height - y, rectangle.height + 2 * MARGIN_PX))
  const clip = { x: x + rectangle.scrollX, y: y + rectangle.scrollY, width, height, scale: 1 }
  // Takes half the time of `page.screenshot`, which changes the styles of the page for each picture.
  const takePicture = async () =>
    (await camera.send('Page.captureScreenshot', { clip, optimizeForSpeed: true })).data
  const focused = await takePicture()
  await page.evaluate('document.activeElement.blur()')
  const plain = await takePicture()
  await page.evaluate('window.stop_?.focus({ focusVisible: true })')
  return page.evaluate<number>(`(${CHANGED_PIXELS})("${focused}", "${plain}")`)
}

// Scripts that run in the page, as text, because this program has no DOM types.

/** Hides the caret of text fields: a caret alone does not count as a visible focus, and a blinking caret would change pixels. */
const HIDE_CARET = `(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { caret-color: transparent !important }')
  document.adoptedStyleSheets.push(sheet)
})()`

/** Moves the start of the Tab order to the top, because a new page focuses its heading. Waits for fonts, which would change pixels. */
const START_AT_THE_TOP = `(async () => {
  await document.fonts.ready
  document.activeElement?.blur()
  getSelection().setPosition(document.body, 0)
})()`

/** Returns the focused element; null when Tab has left the page. */
const READ_STOP = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return null
  if (element.tagName === 'IFRAME') return { kind: '${BUILT_APP}' }
  window.stop_ = element
  const look = (part) => (part ? part.tagName + '.' + (part.getAttribute('class') ?? '') : '')
  const words = element.getAttribute('aria-label') ?? element.textContent
  return {
    kind: [element, element.parentElement, element.parentElement?.parentElement].map(look).join('<'),
    label: element.tagName.toLowerCase() + ' "' + words.trim().slice(0, 40) + '"',
    width: element.getBoundingClientRect().width,
  }
})()`

/** Returns the place where the focus is visible: the element, its label, or the row or card that it covers. */
const READ_RECTANGLE = `(() => {
  const element = window.stop_
  const covers = getComputedStyle(element, '::after').position === 'absolute'
  const { x, y, width, height } = (element.closest('label') ?? (covers ? element.offsetParent : element)).getBoundingClientRect()
  return { x, y, width, height, scrollX, scrollY }
})()`

/** Returns the number of pixels in which two PNG pictures differ by more than a pale tint. */
const CHANGED_PIXELS = `async (...pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    return canvas.getImageData(0, 0, image.width, image.height).data
  }))
  let changed = 0
  for (let i = 0; i < one.length; i += 4)
    if ([0, 1, 2].some((channel) => Math.abs(one[i + channel] - other[i + channel]) > 40)) changed++
  return changed
}`
