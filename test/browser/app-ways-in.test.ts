import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../server/agent/testing/bundle.ts'
import { TestProvider } from '../../server/agent/testing/oauth-provider.ts'
import { connectAuthenticator } from './authenticator.ts'
import { assertSoundApp, visitApp } from './app-visitors.ts'
import { launchBrowser } from './browser.ts'

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
const ACCOUNT = { sub: '7', email: 'olga@example.test', email_verified: true, name: 'Olga' }

/** The preview of an app with every sign-in method; a preview shows the mails that would be sent. */
describe('ways to sign in, in the browser', () => {
  const provider = new TestProvider('club', 'the client secret')
  let app: RunningApp
  let browser: Browser
  let pages: Server
  let origin: string

  before(async () => {
    // The provider's page, which the browser opens; the live worker calls its other endpoints.
    pages = createServer((request, response) => {
      const location = provider.authorize(`http://provider.test${request.url ?? ''}`, ACCOUNT)
      response.writeHead(302, { location }).end()
    })
    pages.listen(0, '127.0.0.1')
    await once(pages, 'listening')
    const { port } = pages.address() as AddressInfo
    const club = {
      id: 'club',
      title: 'Book Club ID',
      clientId: 'club',
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
        AUTH_PROVIDER_CLUB: JSON.stringify(club),
        AUTH_CLUB_SECRET: 'the client secret',
      },
      outbound: (request) => provider.answer(request),
    })
    // A passkey is bound to a host name, not to an IP address.
    origin = `http://localhost:${app.url.port}`
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
    pages?.close()
  })

  const visit = (path: string) => visitApp(browser, { url: new URL(origin) }, path)
  /** Reads the code from the mail that the preview shows. */
  async function codeOn(page: Page): Promise<string> {
    const shown = await page.getByText(/is a preview.*\d{6}/).textContent()
    return /\d{6}/.exec(shown ?? '')?.[0] ?? ''
  }
  async function signInByCode(page: Page, email: string): Promise<void> {
    await page.getByRole('button', { name: 'Get a code by email' }).click()
    await page.getByLabel('Email for the code').fill(email)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByLabel('Code', { exact: true }).fill(await codeOn(page))
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
  }
  const shelf = (page: Page) => page.getByRole('heading', { name: 'The shelf' }).waitFor()

  test('a person signs in by a mailed code, adds a passkey, and signs in with it', async () => {
    const page = await visit('/shelf')
    await page.getByRole('button', { name: 'Continue with Book Club ID' }).waitFor()
    await assertSoundApp(page, 'app-ways-in')
    await signInByCode(page, 'ada@example.test')
    await shelf(page)
    await connectAuthenticator(page)
    await page.getByRole('link', { name: 'ada' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Not used yet').waitFor()
    await assertSoundApp(page, 'app-account-passkey')
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('link', { name: 'ada' }).waitFor()
    await page.context().close()
  })

  test('signing in at a provider returns to the requested page', async () => {
    const page = await visit('/shelf')
    await page.getByRole('button', { name: 'Continue with Book Club ID' }).click()
    await shelf(page)
    assert.equal(new URL(page.url()).pathname, '/shelf')
    await page.getByRole('link', { name: 'Olga' }).waitFor()
    await page.context().close()
  })

  test('a password is reset by the mailed link, which also confirms the address', async () => {
    const page = await visit('/sign-in')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Finn')
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await page.getByLabel('Password').fill('finn likes apples')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'Finn' }).click()
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Forgot it?' }).click()
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await page.getByRole('button', { name: 'Send a link' }).click()
    const shown = await page.getByText(/is a preview/).textContent()
    const link = /http\S+#[0-9a-f]{64}/.exec(shown ?? '')?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('New password').fill('finn likes pears')
    await assertSoundApp(page, 'app-reset-password')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByLabel('Email', { exact: true }).fill('finn@example.test')
    await page.getByLabel('Password').fill('finn likes pears')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Finn' }).click()
    await page.getByText('This device').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Confirm your address' }).count(), 0)
    await page.context().close()
  })
})
