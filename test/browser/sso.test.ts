import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { openDnsServer } from '../../server/testing/providers/dns-server.ts'
import { CLIENT, openOidcIssuer } from '../../server/testing/providers/oidc-issuer.ts'
import { openSamlProvider } from '../../server/testing/providers/saml-provider.ts'
import { assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('single sign-on in a browser', () => {
  let world: BrowserWorld
  let issuer: Awaited<ReturnType<typeof openOidcIssuer>>
  let saml: Awaited<ReturnType<typeof openSamlProvider>>
  let dns: Awaited<ReturnType<typeof openDnsServer>>
  before(async () => {
    ;[issuer, saml, dns] = await Promise.all([openOidcIssuer(), openSamlProvider(), openDnsServer()])
    world = await openBrowserWorld({
      page: { viewport: { width: 1280, height: 900 } },
      env: {
        SLIPWAY_TRUSTED_IDP_ORIGINS: `${issuer.origin},${saml.origin}`,
        SLIPWAY_DNS_SERVERS: dns.address,
      },
    })
  })
  after(async () => {
    await world?.close()
    await Promise.all([issuer.close(), saml.close(), dns.close()])
  })

  const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const proveDomain = async (page: Page) => {
    const shown = await page.locator('section[aria-labelledby=sso] code').allTextContents()
    const name = shown.find((text) => text.startsWith('_slipway-')) ?? ''
    const value = shown.find((text) => text.startsWith('slipway-verify=')) ?? ''
    dns.records.set(name, [[value]])
    await pressButton(page, 'Check the records')
    await page.getByText('People at these domains can sign in').waitFor()
  }
  const signIn = async (email: string) => {
    const { page, context } = await world.open('nobody')
    await page.goto(world.url + href.signIn(href.members()))
    await pressButton(page, 'Sign in with your organization')
    await page.getByLabel('E-mail').fill(email)
    await pressButton(page, 'Continue')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.getByText(email).first().waitFor()
    await context.close()
  }

  test('an owner sets up OpenID Connect and later replaces it with SAML, and a colleague signs in through each', async () => {
    const { page } = world
    await page.goto(world.url + href.security())
    await pressButton(page, 'Set up single sign-on')
    await page.getByLabel('Issuer').fill(issuer.origin)
    await page.getByLabel('E-mail domains').fill('acme.test')
    await page.getByLabel('Client id').fill(CLIENT.clientId)
    await page.getByLabel('Client secret').fill(CLIENT.clientSecret)
    await assertSoundThemes(page, 'single sign-on form', 1280)
    await pressButton(page, 'Connect provider')
    await page.getByText('slipway-verify=').waitFor()
    await assertSoundThemes(page, 'single sign-on steps', 1280)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertSoundThemes(page, 'single sign-on steps', 390)
    await page.setViewportSize({ width: 1280, height: 900 })
    await proveDomain(page)
    await signIn('ada@acme.test')

    await pressButton(page, 'Replace')
    await page.getByLabel('Protocol').selectOption('saml')
    await page.getByLabel('Entity id of the provider').fill(saml.entityId)
    await page.getByLabel('E-mail domains').fill('acme.test')
    await page.getByLabel('Sign-on address').fill(`${saml.origin}/sso`)
    await page.getByLabel('Signing certificate (PEM)').fill(saml.cert)
    await pressButton(page, 'Connect provider')
    await page.getByText('slipway-verify=').waitFor()
    const codes = await page.locator('section[aria-labelledby=sso] code').allTextContents()
    saml.target = {
      acsUrl: codes.find((text) => text.includes('/sp/acs/')) ?? null,
      entityId: codes.find((text) => text.includes('/sp/metadata')) ?? null,
    }
    await proveDomain(page)
    await signIn('ada@acme.test')

    await pressButton(page, 'Remove')
    await pressButton(page, 'Remove single sign-on')
    await page.getByRole('button', { name: 'Set up single sign-on' }).waitFor()
    const { data } = await world.person
      .call<{ data?: unknown }>('GET /sso')
      .then((value) => ({ data: value }))
    assert.equal(data, null)
  })
})
