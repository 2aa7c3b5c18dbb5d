import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { connectAuthenticator } from './authenticator.ts'
import { assertBecomes, assertSoundThemes, loseSession, PASSWORD, waitForFocus } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const NEW_PASSWORD = 'another horse entirely'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

describe('the account page', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 900 } } })
  })
  after(() => world?.close())

  const postAuth = (context: BrowserContext, path: string, data: object, headers: object = {}) =>
    context.request.post(`${world.url}/api/auth/${path}`, {
      data,
      headers: { origin: world.url, ...headers },
    })
  /** Opens the account page of a new user in a separate browser context. */
  async function openAccount() {
    const opened = await world.enter('Ada Lovelace')
    await opened.page.goto(world.url + href.account())
    await opened.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    return opened
  }
  const findButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  /** The library renders each toast twice: on screen and for screen readers. */
  const findToast = (page: Page, words: string) => page.getByText(words).first()
  const isIn = async (context: BrowserContext) =>
    (await context.request.get(`${world.url}/api/v1/me`)).status() === 200
  /** Signs the same user in with another browser context. */
  async function signInElsewhere(email: string, userAgent: string) {
    const context = (await world.open('nobody')).context
    const pair = { email, password: PASSWORD }
    assert.equal((await postAuth(context, 'sign-in/email', pair, { 'user-agent': userAgent })).status(), 200)
    return context
  }

  test("a user's new name is shown in the menu, and a new password signs out all other browsers", async () => {
    const { page, context, email, assertQuiet } = await openAccount()
    const phone = await signInElsewhere(email, PHONE)
    await page.getByLabel('Name', { exact: true }).fill('Ada King')
    await page.keyboard.press('Enter')
    await findToast(page, 'Name saved.').waitFor()
    await findButton(page, /^Account: ?/)
      .getByText('Ada King')
      .waitFor()
    await findButton(page, 'Change password').click()
    await page.getByText('Enter the password you have now.').waitFor()
    await page.getByLabel('Current password').fill('not my password')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await findButton(page, 'Change password').click()
    await page.getByText('This is not your current password.').waitFor()
    assertQuiet(/400/)
    await page.getByLabel('Current password').fill(PASSWORD)
    await findButton(page, 'Change password').click()
    await findToast(page, 'Password changed. Every other browser is signed out.').waitFor()
    await assertBecomes(() => page.getByLabel('New password').inputValue(), '')
    assert.deepEqual([await isIn(context), await isIn(phone)], [true, false])
    const again = await postAuth(phone, 'sign-in/email', { email, password: NEW_PASSWORD })
    assert.equal(again.status(), 200)
    assertQuiet()
    await Promise.all([context.close(), phone.close()])
  })

  test('a user sets up two-factor with an authenticator app, gets new backup codes, and turns it off with the password', async () => {
    const { page, context, assertQuiet } = await openAccount()
    await findButton(page, 'Set up two-factor').click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const key = await page.locator('code', { hasText: /^[A-Z2-7 ]{20,}$/ }).innerText()
    const currentCode = () => new TOTP({ secret: key.replaceAll(' ', '') }).generate()
    await page.getByLabel('Code', { exact: true }).fill(currentCode())
    await findButton(page, 'Turn on two-factor').click()
    await findButton(page, 'I have saved them').click()
    await page.getByText('asks for a code of your authenticator app').waitFor()
    await waitForFocus(page.getByRole('heading', { name: 'Two-factor authentication' }))
    await findButton(page, 'New backup codes').click()
    await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
    await assertSoundThemes(page, 'account-password-dialog', 1280)
    await findButton(page, 'Make new codes').click()
    await page.getByRole('dialog', { name: 'Save your new backup codes' }).waitFor()
    assert.equal(await page.getByRole('dialog').getByRole('listitem').count(), 10)
    await findButton(page, 'I have saved them').click()
    await findButton(page, 'Turn off').click()
    await page.getByRole('dialog').getByLabel('Your password').fill('not my password')
    await findButton(page, 'Turn off two-factor').click()
    await page.getByText('This is not your current password.').waitFor()
    assertQuiet(/400/)
    await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
    await findButton(page, 'Turn off two-factor').click()
    await page.getByText('Your password alone opens your account.').waitFor()
    assert.ok(await isIn(context))
    assertQuiet()
    await context.close()
  })

  test('a passkey signs in without a password, and only with user verification', async () => {
    const { page, context, assertQuiet } = await openAccount()
    const device = await connectAuthenticator(page)
    await findButton(page, 'Add a passkey').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await assertSoundThemes(page, 'account-passkey-dialog', 1280)
    await findButton(page, 'Continue').click()
    await findToast(page, 'Passkey added.').waitFor()
    await page.getByText('Work laptop').waitFor()
    await findButton(page, 'Add a passkey').click()
    await findButton(page, 'Continue').click()
    await page.getByText('This device already holds a passkey for your account.').waitFor()
    await page.keyboard.press('Escape')
    await findButton(page, 'Rename: Work laptop').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await findButton(page, 'Save name').click()
    await page.getByText('Laptop', { exact: true }).waitFor()
    assertQuiet()

    await loseSession(page)
    assert.equal(await isIn(context), false)
    await page.goto(world.url + href.signIn(href.account()))
    await device.setVerified(false)
    assert.deepEqual(await signInWithPasskey(page, 'discouraged'), [401, 'AUTHENTICATION_FAILED'])
    assert.equal(await isIn(context), false)
    await device.setVerified(true)
    assertQuiet(/401/)
    await findButton(page, 'Use a passkey').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    assert.ok(await isIn(context))
    assertQuiet()

    await findButton(page, 'Remove: Laptop').click()
    await findButton(page, 'Remove passkey').click()
    await page.getByText('No passkeys yet').waitFor()
    await loseSession(page)
    await page.goto(world.url + href.signIn())
    assert.deepEqual(await signInWithPasskey(page, 'required'), [401, 'PASSKEY_NOT_FOUND'])
    await context.close()
  })

  test("the account page lists the user's other browsers by name, and signs out one or all of them, but not the current one", async () => {
    const { page, context, email, assertQuiet } = await openAccount()
    const [phone, script] = [await signInElsewhere(email, PHONE), await signInElsewhere(email, 'curl/8.5.0')]
    await page.reload()
    await page.getByText('this browser', { exact: true }).waitFor()
    await findButton(page, 'Sign out: Safari on iPhone').click()
    await findButton(page, 'Sign out: Safari on iPhone').waitFor({ state: 'detached' })
    assert.deepEqual([await isIn(context), await isIn(phone), await isIn(script)], [true, false, true])
    await findButton(page, 'Sign out all others').click()
    await page.getByRole('dialog', { name: 'Sign out one other browser?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByText('Nowhere else.').waitFor()
    assert.deepEqual([await isIn(context), await isIn(script)], [true, false])
    assertQuiet()
    await Promise.all([context.close(), phone.close(), script.close()])
  })
})

/** Runs the passkey ceremony as any page of this origin could. Returns the status and the error code. */
function signInWithPasskey(page: Page, userVerification: 'required' | 'discouraged') {
  return page.evaluate<[number, string | null]>(`(async () => {
    const asked = await fetch('/api/auth/passkey/generate-authenticate-options')
    const options = await asked.json()
    if (options.userVerification !== 'required') throw new Error('no verification was asked for')
    const wished = { ...options, userVerification: '${userVerification}' }
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(wished),
    })
    const answer = await fetch('/api/auth/passkey/verify-authentication', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ response: credential.toJSON() }),
    })
    const body = await answer.json()
    return [answer.status, body.code ?? null]
  })()`)
}
