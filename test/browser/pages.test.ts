import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundThemes, openTab } from './browser.ts'
import { signedInScreens } from './screens/signed-in.ts'
import { type Arrive, follow, load, type Screen, visit } from './screens/screen.ts'
import { SIGNED_OUT_SCREENS } from './screens/signed-out.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('every page', () => {
  let world: BrowserWorld
  let screens: Screen[]

  before(async () => {
    world = await openBrowserWorld()
    screens = await signedInScreens(world)
  })
  after(() => world?.close())

  for (const width of [1280, 390] as const) {
    const options: BrowserContextOptions = {
      viewport: { width, height: 844 },
      ...(width === 390 && { hasTouch: true, isMobile: true }),
    }

    test(`every screen of the console is accessible, fits ${width} px and reports no error`, async () => {
      const { context } = await world.open('nobody', options)
      await walkScreens(context, SIGNED_OUT_SCREENS, width, load)
      await context.addCookies(world.person.cookies)
      await walkScreens(context, screens, width, width === 390 ? follow : load)
      await context.close()
    })

    test(`dialogs, menus and the navigation of the console are accessible at ${width} px`, async () => {
      const { page, context, assertQuiet } = await world.open('Ada', options)
      for (const [path, button] of [
        [href.models(), 'Connect a model'],
        [href.keys(), 'Create key'],
        [screens.find((screen) => screen.name === 'workspace-build')?.path ?? '', 'Ship'],
      ] as const) {
        await page.goto(world.url + path)
        await page.getByRole('button', { name: button, exact: true }).first().click()
        await page.getByRole('dialog').waitFor()
        await assertSoundThemes(page, `dialog-${button}`, width)
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.goto(world.url + href.projects())
      if (width === 390) await page.getByRole('button', { name: 'Open navigation' }).click()
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await assertSoundThemes(page, 'account-menu', width)
      assertQuiet()
      await context.close()
    })
  }

  test("a chosen color theme survives a reload and takes precedence over the operating system's theme", async () => {
    const { page, context } = await world.open('Ada', { colorScheme: 'light' })
    await page.goto(world.url + href.projects())
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.reload()
    assert.equal(await page.locator('html').getAttribute('data-mode'), 'dark')
    await context.close()
  })

  /** Visits screens on two pages in parallel, because half of the time is waiting for the service. */
  async function walkScreens(
    context: BrowserContext,
    screens: Screen[],
    width: number,
    arrive: Arrive,
  ): Promise<void> {
    const left = screens.values()
    const visitMost = async () => {
      const tab = await openTab(context)
      for await (const { name } of visit(tab, world.url, left, arrive))
        await assertSoundThemes(tab.page, name, width)
      await tab.page.close()
    }
    await Promise.all([visitMost(), visitMost()])
  }
})
