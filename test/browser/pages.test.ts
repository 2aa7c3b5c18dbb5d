import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { buildConsole } from '../../scripts/console-build.ts'
import { ServiceProcess } from '../support/service.ts'
import { assertSoundThemes, launchBrowser, openPage, saySentence, signUp, waitForOutcome } from './browser.ts'
import { codeScreens } from './screens/code.ts'
import { ORGANIZATION_SCREENS } from './screens/organization.ts'
import { projectScreens } from './screens/project.ts'
import { runScreens } from './screens/runs.ts'
import type { Screen } from './screens/screen.ts'
import { SETTINGS_SCREENS } from './screens/settings.ts'
import { SIGNED_OUT_SCREENS } from './screens/signed-out.ts'
import { ticketScreens } from './screens/tickets.ts'

let service: ServiceProcess
let browser: Browser
let signedIn: Exclude<BrowserContextOptions['storageState'], undefined>
let screens: Screen[]

before(async () => {
  await buildConsole()
  ;[service, browser] = await Promise.all([ServiceProcess.start(), launchBrowser()])
  const { page, context } = await openPage(browser)
  await signUp(page, service.url, 'ada@example.test')
  await saySentence(page, 'Track the plants in my office: name, room, last watered date')
  assert.match(await waitForOutcome(page), /^Built/)
  const projectId = /prj_\w+/.exec(page.url())?.[0] ?? ''
  signedIn = await context.storageState()
  const runs = await context.request.get(`${service.url}/api/v1/projects/${projectId}/runs`)
  const { data } = (await runs.json()) as { data: { items: { id: string }[] } }
  screens = [
    ...ORGANIZATION_SCREENS,
    ...SETTINGS_SCREENS,
    ...projectScreens(projectId),
    ...ticketScreens(projectId),
    ...codeScreens(projectId),
    ...runScreens(projectId, data.items[0]?.id ?? ''),
  ]
  await context.close()
})
after(async () => {
  await browser?.close()
  await service?.dispose()
})

for (const width of [1280, 390] as const) {
  const options: BrowserContextOptions = {
    viewport: { width, height: 844 },
    ...(width === 390 && { hasTouch: true, isMobile: true }),
  }

  test(`every screen is accessible, fits and reports nothing: ${width} px`, async () => {
    await walk(SIGNED_OUT_SCREENS, options, width)
    await walk(screens, { ...options, storageState: signedIn }, width)
  })

  test(`dialogs, menus and the navigation are accessible too: ${width} px`, async () => {
    const { page, context, assertQuiet } = await openPage(browser, { ...options, storageState: signedIn })
    for (const [path, button] of [
      [href.models(), 'Connect a model'],
      [href.keys(), 'Create key'],
      [screens.find((screen) => screen.name === 'workspace-build')?.path ?? '', 'Ship'],
    ] as const) {
      await page.goto(service.url + path)
      await page.getByRole('button', { name: button, exact: true }).first().click()
      await page.getByRole('dialog').waitFor()
      await assertSoundThemes(page, `dialog-${button}`, width)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.goto(service.url + href.projects())
    if (width === 390) await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await assertSoundThemes(page, 'account-menu', width)
    assertQuiet()
    await context.close()
  })
}

test('a chosen theme outlives the page and wins over the system', async () => {
  const { page, context } = await openPage(browser, { storageState: signedIn, colorScheme: 'light' })
  await page.goto(service.url + href.projects())
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  assert.equal(await page.locator('html').getAttribute('data-mode'), 'dark')
  await context.close()
})

/** Visits screens on two pages side by side: half of the time of each is waiting for the service. */
async function walk(screens: Screen[], options: BrowserContextOptions, width: number): Promise<void> {
  const left = [...screens]
  const visitMost = async () => {
    const { page, context, assertQuiet } = await openPage(browser, options)
    for (let screen = left.shift(); screen; screen = left.shift()) {
      await page.goto(service.url + screen.path)
      await screen.ready(page)
      await assertSoundThemes(page, screen.name, width)
      assertQuiet(screen.reports)
    }
    await context.close()
  }
  await Promise.all([visitMost(), visitMost()])
}
