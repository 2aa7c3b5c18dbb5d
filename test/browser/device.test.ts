import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundPage, assertSoundThemes, PASSWORD, waitForFocus } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

interface Code {
  deviceCode: string
  userCode: string
  verificationUrlComplete: string
}
type PollResponse = { status: string; key?: string }

describe('signing in a device in the browser', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld()
  })
  after(() => world?.close())

  /** Sends a request as a device does, without a session. */
  async function postDevice<T>(path: string, body: object): Promise<T> {
    const answer = await fetch(`${world.url}/api/v1/device/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    return ((await answer.json()) as { data: T }).data
  }
  const beginSignIn = (body: object = { name: 'Ada’s laptop' }) => postDevice<Code>('code', body)
  const pollToken = ({ deviceCode }: Code) => postDevice<PollResponse>('token', { deviceCode })
  const findHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

  test('a signed-out user signs in and approves a device by keyboard alone, and the device gets a working key', async () => {
    const { page, context, assertQuiet } = await world.open('nobody')
    const code = await beginSignIn()
    await page.goto(code.verificationUrlComplete.replace(/^https?:\/\/[^/]+/, world.url))
    await page.getByLabel('E-mail').fill('ada@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await findHeading(page, 'A device asks to sign in').waitFor()
    assertQuiet(/401/)
    for (const shown of [
      code.userCode,
      'Ada’s laptop',
      '127.0.0.1',
      'Run builds and previews, revert, back up',
    ])
      await page.getByText(shown, { exact: true }).first().waitFor()
    assert.equal(await page.getByText('Ship, roll back, archive and delete').count(), 0)
    await waitForFocus(findHeading(page, 'A device asks to sign in'))
    const approve = page.getByRole('button', { name: 'Approve' })
    for (let tab = 0; tab < 10 && !(await approve.evaluate((button) => button.matches(':focus'))); tab++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await waitForFocus(findHeading(page, 'Ada’s laptop is signed in'))
    await assertSoundPage(page, 'device approved')
    const { key } = await pollToken(code)
    const projects = await fetch(`${world.url}/api/v1/projects`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(projects.status, 200)
    assertQuiet()
    await context.close()
  })

  test('a user enters the code of a device and refuses its sign-in, and the device is told that access was denied', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    const code = await beginSignIn({ name: 'CI', scopes: ['projects:read', 'deploy:write'] })
    await page.goto(world.url + href.device())
    const field = page.getByLabel('Code')
    await field.fill('WDJB')
    await page.keyboard.press('Enter')
    await page.getByText('Enter all eight letters and digits of the code.').waitFor()
    await waitForFocus(field)
    await field.fill(code.userCode.replace('-', '').toLowerCase())
    await page.keyboard.press('Enter')
    await findHeading(page, 'A device asks to sign in').waitFor()
    await page.getByText('This device could change what is live.').waitFor()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await findHeading(page, 'CI was refused').waitFor()
    assert.deepEqual(await pollToken(code), { status: 'denied' })
    assertQuiet()
    await context.close()
  })

  test('for an unknown or used device code, the device page says what is wrong and asks for another code', async () => {
    const { page, context } = await world.open('Ada')
    await page.goto(world.url + href.device('AAAA-AAAA'))
    await page.getByText('This code is unknown or has expired.', { exact: false }).waitFor()
    const code = await beginSignIn()
    await page.getByLabel('Code').fill(code.userCode)
    await page.getByRole('button', { name: 'Enter another code' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await findHeading(page, 'Ada’s laptop is signed in').waitFor()
    await page.reload()
    await page.getByText('This code was already used.').waitFor()
    await context.close()
  })

  for (const width of [1280, 390] as const)
    test(`each state of the device page is accessible and fits ${width} px in the light and the dark theme`, async () => {
      const options = {
        viewport: { width, height: 844 },
        ...(width === 390 && { isMobile: true, hasTouch: true }),
      }
      // Use another user, because lookups are limited per user.
      const { page, context } = await world.enter('Person', options)
      const code = await beginSignIn({ name: 'A device with quite a long name, on the third floor' })
      const states = [
        ['device-enter', href.device(), 'Sign in a device'],
        ['device-grant', href.device(code.userCode), 'A device asks to sign in'],
        ['device-unknown', href.device('AAAA-AAAA'), 'This code is unknown or has expired.'],
      ] as const
      for (const [name, path, words] of states) {
        await page.goto(world.url + path)
        await page.getByText(words).first().waitFor()
        await assertSoundThemes(page, name, width)
      }
      await context.close()
    })
})
