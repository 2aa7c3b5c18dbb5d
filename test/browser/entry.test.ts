import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { readOutboxLink } from '../support/outbox.ts'
import { connectAuthenticator } from './authenticator.ts'
import { assertSoundThemes, loseSession, PASSWORD, waitForFocus } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const NEW_PASSWORD = 'another horse battery'
const OPEN = { requireSso: false, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }

describe('signing in and switching organizations', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 844 } } })
  })
  after(() => world?.close())

  async function callApi<T>(
    context: BrowserContext,
    method: string,
    path: string,
    data?: object,
  ): Promise<T> {
    const answer = await context.request.fetch(world.url + path, {
      method,
      headers: { origin: world.url },
      ...(data && { data }),
    })
    assert.ok(answer.ok(), `${path} ${answer.status()} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  const waitForHeading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
  const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  async function fillSignIn(page: Page, email: string, password = PASSWORD) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await pressButton(page, 'Sign in')
  }

  test('a visitor without a session is redirected to the sign-in page, and no request gets an error status', async () => {
    const { page, context, assertQuiet } = await world.open('nobody')
    const refused: string[] = []
    page.on('response', (answer) => void (answer.ok() || refused.push(`${answer.status()} ${answer.url()}`)))
    await page.goto(world.url + href.activity())
    await waitForHeading(page, 'Sign in')
    assert.equal(new URL(page.url()).searchParams.get('next'), href.activity())
    assert.deepEqual(refused, [])
    assertQuiet()
    await context.close()
  })

  test('an organization that requires a second factor makes members set one up and use it at each sign-in', async () => {
    const { page, context, email, assertQuiet } = await world.enter('Ada Lovelace')
    await callApi(context, 'PUT', '/api/v1/security', { ...OPEN, requireTwoFactor: true })
    await page.goto(world.url + href.activity())
    await waitForHeading(page, 'Sign in')
    await fillSignIn(page, email)
    await waitForHeading(page, 'Set up two-factor first')
    await page.getByLabel('Your password').fill(PASSWORD)
    await pressButton(page, 'Set up two-factor')
    const key = await page.locator('code').innerText()
    const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
    await assertSoundThemes(page, 'gate-two-factor-scan', 1280)
    // Use the code of the previous 30 seconds: a code works only once, and the next sign-in uses the current one.
    const before = totp.generate({ timestamp: Date.now() - 30_000 })
    await page.getByRole('textbox', { name: 'Code' }).fill(before)
    await pressButton(page, 'Turn on two-factor')
    await page.getByRole('heading', { name: /^Two-factor is on/ }).waitFor()
    const backupCode = await page.getByRole('listitem').first().innerText()
    await pressButton(page, 'I have saved them')
    await waitForHeading(page, 'Activity')

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await waitForHeading(page, 'Sign in')
    await page.goto(world.url + href.activity())
    await fillSignIn(page, email)
    await waitForHeading(page, 'Enter your code')
    await waitForFocus(page.getByRole('textbox', { name: 'Code' }))
    await page.getByRole('textbox', { name: 'Code' }).fill('123')
    await pressButton(page, 'Sign in')
    await page.getByText('Enter the six digits.').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate())
    await pressButton(page, 'Sign in')
    await waitForHeading(page, 'Activity')

    await loseSession(page)
    await page.goto(world.url + href.signIn())
    await fillSignIn(page, email)
    await pressButton(page, 'Use a backup code instead')
    await page.getByLabel('Backup code').fill('nonsense')
    await pressButton(page, 'Sign in')
    await page.getByText(/backup code is wrong/).waitFor()
    await page.getByLabel('Backup code').fill(backupCode)
    await pressButton(page, 'Sign in')
    await page.getByLabel('Describe what you want to build').waitFor()
    assertQuiet(/40[13]|requires two-factor/)
    await context.close()
  })

  test("a mailed link resets a user's password, and works once", async () => {
    const { page, context, email } = await world.enter('Reset Me')
    await context.clearCookies()
    await page.goto(world.url + href.signIn(href.keys()))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The previous page also has a field for an email address, so wait for the heading.
    await waitForHeading(page, 'Set a new password')
    await page.getByLabel('E-mail').fill(email)
    await pressButton(page, 'Send link')
    await waitForHeading(page, 'Check your mail')
    const link = await readOutboxLink(world.service, email)
    await page.goto(link)
    await waitForHeading(page, 'Choose a new password')
    await page.getByLabel('New password').fill('short')
    await pressButton(page, 'Set password')
    await page.getByText('Use at least 10 characters.').waitFor()
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await pressButton(page, 'Set password')
    await waitForHeading(page, 'Your password is changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fillSignIn(page, email)
    await page.getByText('E-mail and password do not match.').waitFor()
    await fillSignIn(page, email, NEW_PASSWORD)
    await waitForHeading(page, 'Welcome, Reset')
    await page.goto(link)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await pressButton(page, 'Set password')
    await page.getByText(/already used/).waitFor()
    await page.getByRole('link', { name: 'Send a new link' }).waitFor()
    await context.close()
  })

  test('signing in with a passkey leads to the requested page', async () => {
    const { page, context, assertQuiet } = await world.enter('Key Holder')
    await connectAuthenticator(page)
    await page.goto(world.url + href.account())
    await pressButton(page, 'Add a passkey')
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await pressButton(page, 'Continue')
    await page.getByText('Laptop', { exact: true }).waitFor()
    await loseSession(page)
    await page.goto(world.url + href.signIn(href.activity()))
    await pressButton(page, 'Use a passkey')
    await waitForHeading(page, 'Activity')
    assertQuiet()
    await context.close()
  })

  test('a user with a forbidden IP address sees the address and can try again', async () => {
    const { page, context } = await world.enter('Far Away')
    await page.goto(world.url + href.organization())
    await waitForHeading(page, 'Organization')
    // The service accepts a list of allowed IP addresses only with the caller's own address, so the test stubs the refusal. Only requests
    // of the next page are stubbed, because requests of the current page may still be pending.
    const refused = /\/api\/v1\/(keys|me)(\?|$)/
    await page.route(refused, (route) =>
      route.fulfill({
        status: 403,
        json: {
          ok: false,
          error: {
            code: 'ip_not_allowed',
            message: 'This organization does not allow calls from 203.0.113.77.',
          },
        },
      }),
    )
    await page.getByRole('link', { name: 'API keys' }).click()
    await waitForHeading(page, 'Not from this address')
    await page.getByText('203.0.113.77').waitFor()
    await page.unroute(refused)
    await pressButton(page, 'Try again')
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    await context.close()
  })

  test('after too many sign-in attempts the button counts down the waiting time', async () => {
    const { page, context } = await world.open('nobody')
    await page.route('**/api/auth/sign-in/email', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '40' },
        json: { ok: false, error: { code: 'rate_limited', message: 'Too many.' } },
      }),
    )
    await page.clock.install()
    await page.goto(world.url + href.signIn())
    await fillSignIn(page, 'ada@example.test')
    // The countdown is running, so advancing the clock shortens it.
    await page.getByRole('button', { name: /^Try again in [1-3]\d s/ }).waitFor()
    await page.clock.fastForward('00:41')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await context.close()
  })

  test('an invitation leads a new user from the sign-up to the shared project, and cannot be used by another user', async () => {
    const owner = await world.enter('Grace Hopper')
    const { data: project } = await callApi<{ data: { id: string } }>(
      owner.context,
      'POST',
      '/api/v1/projects',
      {
        name: 'Harbour lights',
      },
    )
    const inviteMember = (email: string) =>
      callApi<{ id: string }>(owner.context, 'POST', '/api/auth/organization/invite-member', {
        email,
        role: 'member',
      })
    const { id } = await inviteMember('guest@example.test')
    const stranger = await world.enter('Somebody Else')
    await stranger.page.goto(world.url + href.invitation(id))
    await pressButton(stranger.page, "Join Grace Hopper's organization")
    await waitForHeading(stranger.page, 'This invitation is for another account')

    const { page, context } = await world.open('nobody', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await page.goto(world.url + href.invitation(id))
    await waitForHeading(page, "Join Grace Hopper's organization")
    await assertSoundThemes(page, 'invitation', 390)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Your name').fill('Guest')
    await page.getByLabel('E-mail').fill('guest@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await pressButton(page, 'Create account')
    await waitForHeading(page, "Join Grace Hopper's organization")
    // An invited user gets no organization automatically, so before joining the user has none.
    await page.goto(world.url + href.projects())
    await waitForHeading(page, 'You are in no organization here')
    await assertSoundThemes(page, 'no-organization', 390)
    await page.goBack()
    await pressButton(page, "Join Grace Hopper's organization")
    await page.getByRole('heading', { name: /^(Welcome|Projects)/ }).waitFor()
    await page.goto(world.url + href.project(project.id))
    await page.getByText('Harbour lights').first().waitFor()
    await page.goto(world.url + href.invitation(id))
    await waitForHeading(page, 'This invitation was used')
    for (const opened of [owner, stranger, { context }]) await opened.context.close()
  })

  test("each of two organizations shows its own data, and a link to the other one's page switches to that organization", async () => {
    const { page, context, email, assertQuiet } = await world.enter('Two Hats')
    const { data: project } = await callApi<{ data: { id: string } }>(context, 'POST', '/api/v1/projects', {
      name: 'First hat',
    })
    await page.goto(world.url + href.projects())
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Create organization' }).click()
    await page.getByLabel('Name').fill('Second hat')
    await pressButton(page, 'Create organization')
    await waitForHeading(page, 'Welcome, Two')
    await pressButton(page, 'Test model')
    await page.getByText(/answered in \d/).waitFor()
    await pressButton(page, 'Skip this page')
    await pressButton(page, 'Undo')
    await waitForHeading(page, 'Welcome, Two')
    await pressButton(page, 'Skip this page')
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()

    await page.goto(world.url + href.project(project.id))
    await waitForHeading(page, 'Not found')
    await page.getByRole('button', { name: /^Two Hats's organization/ }).click()
    await page.getByRole('heading', { name: 'First hat' }).waitFor()
    assert.ok(page.url().includes(href.project(project.id)))

    await page.goto(world.url + href.projects())
    await pressButton(page, "Organization: Two Hats's organization")
    await page.getByRole('button', { name: /^Second hat/ }).waitFor()
    await assertSoundThemes(page, 'organization-switcher', 1280)
    await page.getByRole('button', { name: /^Second hat/ }).click()
    await page.getByRole('button', { name: 'Organization: Second hat' }).waitFor()
    assertQuiet(/404/)

    // The next session on this device starts in the organization that was used last.
    await loseSession(page)
    await page.goto(world.url + href.signIn())
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Organization: Second hat' }).waitFor()

    await page.goto(world.url + href.organization())
    await pressButton(page, 'Leave organization')
    const confirm = page.getByRole('dialog')
    await confirm.getByLabel('Type Second hat to confirm').fill('Second hat')
    await confirm.getByRole('button', { name: 'Leave organization' }).click()
    await confirm.getByText(/only owner/).waitFor()
    await context.close()
  })

  test('when a session ends during work, a dialog renews it, and the interrupted action is completed', async () => {
    const { page, context, email } = await world.enter('Mid Work')
    await page.goto(world.url + href.organization())
    await page.getByLabel('Name').first().fill('Renamed in the middle')
    await endSessionBefore(page, '/api/auth/organization/update')
    await pressButton(page, 'Save changes')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText(`Sign in again as ${email}.`, { exact: false }).waitFor()
    await assertSoundThemes(page, 'sign-in-again', 1280)
    await dialog.getByLabel('Password').fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByText('E-mail and password do not match.').waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Saved.').first().waitFor()

    // When the session ends while another dialog is open, that dialog keeps its input.
    await page.goto(world.url + href.keys())
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Name').fill('CI')
    await endSessionBefore(page, '/api/v1/keys')
    await form.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await form.getByLabel('Name').inputValue(), 'CI')
    await form.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^svk_/).first().waitFor()
    await context.close()
  })
})

/** Ends the session just before the request to `path` is sent, so that no other request is refused. */
const endSessionBefore = (page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      await page.context().clearCookies()
      await route.continue()
    },
    { times: 1 },
  )
