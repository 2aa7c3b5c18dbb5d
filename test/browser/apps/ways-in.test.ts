import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { serve, type ServerType } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { LOCAL_CLIENT, OauthProvider } from '../../../local/oauth/provider.ts'
import { oauthPages } from '../../../local/oauth/routes.ts'
import { starterTree } from '../../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../../server/agent/testing/bundle.ts'
import {
  addPasskey,
  agreeAtProvider,
  assertSoundApp,
  returnByPasskey,
  signInByCode,
  visitApp,
} from './visitors.ts'
import { launchBrowser } from '../browser.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Book club',
  uses: ['auth', 'data'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Books' },
    { path: '/shelf', file: 'Home.tsx', title: 'My shelf', access: 'members' },
  ],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="The shelf">Hello</Page>\n`

/** The preview of an app with every sign-in method. A preview shows mails instead of sending them. */
describe('ways to sign in, in the browser', () => {
  const provider = new OauthProvider(Date.now)
  let app: RunningApp
  let browser: Browser
  let pages: ServerType
  let origin: string

  before(async () => {
    // The browser opens this page of the provider. The app's worker calls its other endpoints (`outbound`
    // below).
    pages = serve({ fetch: oauthPages(provider).fetch, port: 0, hostname: '127.0.0.1' })
    await once(pages, 'listening')
    const { port } = pages.address() as AddressInfo
    const club = {
      id: 'club',
      title: 'Book Club ID',
      clientId: LOCAL_CLIENT.id,
      scopes: ['openid'],
      ...provider.addresses,
      authorizeUrl: `http://127.0.0.1:${port}/authorize`,
    }
    const tree = new Map([
      ...starterTree('Book club'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
    ])
    app = await startApp(tree, {
      enabled: ['auth', 'data'],
      tier: 'preview',
      variables: {
        AUTH_EMAIL_CODE: 'on',
        AUTH_PASSKEY: 'on',
        AUTH_PASSWORD_MIN: '12',
        AUTH_PROVIDER_CLUB: JSON.stringify(club),
        AUTH_CLUB_SECRET: LOCAL_CLIENT.secret,
      },
      outbound: ({ url, method, headers, body }) =>
        provider.answer(new Request(url, { method, headers, ...(method === 'POST' && { body }) })),
    })
    // A passkey is bound to a host name and not to an IP address.
    origin = `http://localhost:${app.url.port}`
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
    pages?.close()
  })

  const openPreview = (path: string) => visitApp(browser, { url: new URL(origin) }, path)
  /** Reads the code from the mail that the page of a preview shows. */
  async function codeOn(page: Page): Promise<string> {
    const shown = await page.getByText(/is a preview.*\d{6}/).textContent()
    return /\d{6}/.exec(shown ?? '')?.[0] ?? ''
  }
  const waitForShelf = (page: Page) => page.getByRole('heading', { name: 'The shelf' }).waitFor()

  /** Asserts that the page states the minimum length of a password, and does not send a shorter one. */
  async function assertTooShort(page: Page, label: string, submit: string): Promise<void> {
    const sent: string[] = []
    const recordPost = (request: { method(): string; url(): string }) => {
      if (request.method() === 'POST') sent.push(request.url())
    }
    page.on('request', recordPost)
    await page.getByText('At least 12 characters.').waitFor()
    await page.getByLabel(label).fill('elevenchars')
    await page.getByRole('button', { name: submit }).click()
    await page.getByText('This must have 12 to 200 characters').waitFor()
    assert.equal(await page.getByLabel(label).getAttribute('aria-invalid'), 'true')
    assert.deepEqual(sent, [])
    page.off('request', recordPost)
  }

  test('an app user signs in by a mailed code, adds a passkey, and signs in with it', async () => {
    const page = await openPreview('/shelf')
    await page.getByRole('button', { name: 'Continue with Book Club ID' }).waitFor()
    await assertSoundApp(page, 'app-ways-in')
    await signInByCode(page, 'ada@example.test', () => codeOn(page))
    await waitForShelf(page)
    await addPasskey(page, 'ada')
    await assertSoundApp(page, 'app-account-passkey')
    await returnByPasskey(page, 'ada')
    await page.context().close()
  })

  test('a person who signs in to the app at an identity provider returns to the requested page', async () => {
    const page = await openPreview('/shelf')
    await page.getByRole('button', { name: 'Continue with Book Club ID' }).click()
    await agreeAtProvider(page, 'Olga')
    await waitForShelf(page)
    assert.equal(new URL(page.url()).pathname, '/shelf')
    await page.getByRole('link', { name: 'Olga' }).waitFor()
    await page.context().close()
  })

  test("a mailed link resets an app user's password and confirms the address, and each form states the minimum length", async () => {
    const page = await openPreview('/sign-in')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Finn')
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await assertTooShort(page, 'Password', 'Create an account')
    await page.getByLabel('Password').fill('finn likes apples')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'Finn' }).click()
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await page.getByRole('button', { name: 'Send a link' }).click()
    const shown = await page.getByText(/is a preview/).textContent()
    const link = /http\S+#[0-9a-f]{64}/.exec(shown ?? '')?.[0] ?? ''
    await page.goto(link)
    await assertTooShort(page, 'New password', 'Save password')
    await page.getByLabel('New password').fill('finn likes pears')
    await assertSoundApp(page, 'app-reset-password')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await page.getByLabel('Password').fill('finn likes pears')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Finn' }).click()
    await page.getByText('This device').waitFor()
    await page.getByLabel('Current password').fill('finn likes pears')
    await assertTooShort(page, 'New password', 'Change password')
    await assertSoundApp(page, 'app-account-password')
    await page.getByLabel('New password').fill('finn likes plums')
    await page.getByLabel('Current password').fill('finn likes kiwis')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your password').waitFor()
    await page.getByLabel('Current password').fill('finn likes pears')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Confirm your address' }).count(), 0)
    await page.context().close()
  })
})
