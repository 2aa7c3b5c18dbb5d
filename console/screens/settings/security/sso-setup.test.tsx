import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Me, SsoProvider } from '@slipway/sdk/client/types.gen.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { SsoSetup } from './sso-setup.tsx'

const OWNER = { role: 'owner', plan: 'enterprise' } as Me
const UNVERIFIED_PROVIDER: SsoProvider = {
  issuer: 'https://login.acme.test',
  domain: 'acme.test',
  kind: 'oidc',
  domainVerified: false,
  txt: [
    { domain: 'acme.test', name: '_slipway-sso-1.acme.test', value: 'slipway-verify=x', isVerified: false },
  ],
  redirectUri: 'https://slipway.test/api/auth/sso/callback/sso-1',
  acsUrl: null,
  entityId: null,
}

function renderSsoSetup(stored: SsoProvider | null, { me = OWNER, isRequired = false, answers = {} } = {}) {
  let current = stored
  const calls = serve({
    'GET /sso': () => current,
    'POST /sso': () => (current = UNVERIFIED_PROVIDER),
    'POST /sso/verify-domain': () => {
      current = { ...UNVERIFIED_PROVIDER, domainVerified: true }
      return { domainVerified: true }
    },
    'DELETE /sso': () => {
      current = null
      return { removed: true }
    },
    ...answers,
  })
  show(<SsoSetup me={me} isRequired={isRequired} />)
  return calls
}

const nextStepTitle = () => document.querySelector('[aria-current=step] h3')?.textContent ?? ''

describe('the set-up of single sign-on', () => {
  test('single sign-on is set up in three steps: connect a provider, verify the domains, require single sign-on', async () => {
    const calls = renderSsoSetup(null)
    await waitFor(() => button('Set up single sign-on'))
    press('Set up single sign-on')
    write('Issuer', 'https://login.acme.test')
    write('E-mail domains', 'acme.test')
    write('Client id', 'slipway')
    write('Client secret', 'secret')
    press('Connect provider')
    await waitFor(() => assert.match(nextStepTitle(), /^Prove the domains/))
    assert.deepEqual(calls['POST /sso']?.[0]?.body, {
      issuer: 'https://login.acme.test',
      domain: 'acme.test',
      oidcConfig: { clientId: 'slipway', clientSecret: 'secret' },
    })
    assert.ok(isShown('_slipway-sso-1.acme.test'))
    assert.ok(isShown('slipway-verify=x'))
    press('Check the records')
    await waitFor(() => assert.match(nextStepTitle(), /^Require it/))
  })

  test('switching the single sign-on protocol to SAML and back keeps the typed client secret', async () => {
    renderSsoSetup(null)
    await waitFor(() => button('Set up single sign-on'))
    press('Set up single sign-on')
    write('Client secret', 'secret')
    write('Protocol', 'saml')
    write('Protocol', 'oidc')
    assert.equal(field('Client secret').value, 'secret')
  })

  test('when the DNS record of a single sign-on domain is not found yet, this is shown, and verifying stays the next step', async () => {
    renderSsoSetup(UNVERIFIED_PROVIDER, {
      answers: { 'POST /sso/verify-domain': () => ({ domainVerified: false }) },
    })
    await waitFor(() => button('Check the records'))
    press('Check the records')
    await waitFor(() => assert.ok(isShown(/Not all records were found yet/)))
    assert.match(nextStepTitle(), /^Prove the domains/)
  })

  test('when another organization has verified the single sign-on domain, an alert says so', async () => {
    const taken = () =>
      new Refusal(409, 'conflict', 'Another organization has verified one of these domains.')
    renderSsoSetup(UNVERIFIED_PROVIDER, { answers: { 'POST /sso/verify-domain': taken } })
    await waitFor(() => button('Check the records'))
    press('Check the records')
    await assertAlert(/Another organization has verified/)
  })

  test('an error about the issuer of an identity provider is shown at its field, and the typed client secret stays', async () => {
    renderSsoSetup(null, {
      answers: { 'POST /sso': () => new Refusal(400, 'invalid_request', 'issuer: must be an https address') },
    })
    await waitFor(() => button('Set up single sign-on'))
    press('Set up single sign-on')
    write('Client secret', 'secret')
    press('Connect provider')
    await waitFor(() => assert.equal(screen.getByLabelText('Issuer').getAttribute('aria-invalid'), 'true'))
    assert.equal(screen.getByLabelText<HTMLInputElement>('Client secret').value, 'secret')
  })

  test('the form of a SAML identity provider sends the sign-on address and the certificate', async () => {
    const calls = renderSsoSetup(null)
    await waitFor(() => button('Set up single sign-on'))
    press('Set up single sign-on')
    write('Protocol', 'saml')
    write('Entity id of the provider', 'urn:idp')
    write('Sign-on address', 'https://idp.test/sso')
    write('Signing certificate (PEM)', 'PEM')
    press('Connect provider')
    await waitFor(() => assert.equal(calls['POST /sso']?.length, 1))
    assert.deepEqual(calls['POST /sso']?.[0]?.body, {
      issuer: 'urn:idp',
      domain: '',
      samlConfig: { entryPoint: 'https://idp.test/sso', cert: 'PEM' },
    })
  })

  test('single sign-on is removed only after a confirmation, and can then be set up again', async () => {
    const calls = renderSsoSetup({ ...UNVERIFIED_PROVIDER, domainVerified: true }, { isRequired: true })
    await waitFor(() => button('Remove'))
    assert.equal(nextStepTitle(), '')
    press('Remove')
    await waitFor(() => button('Remove single sign-on'))
    await untilSent()
    assert.equal(calls['DELETE /sso']?.length, 0)
    press('Remove single sign-on')
    await waitFor(() => button('Set up single sign-on'))
  })

  test('a member sees the state of single sign-on without the buttons that change it', async () => {
    renderSsoSetup(UNVERIFIED_PROVIDER, { me: { ...OWNER, role: 'member' } })
    await waitFor(() => assert.ok(isShown('Prove the domains')))
    assert.ok(screen.queryByRole('button', { name: /^(Check the records|Remove|Replace)$/ }) === null)
  })

  test('on a plan below Enterprise, the security page says that single sign-on needs that plan and offers no set-up', async () => {
    renderSsoSetup(null, { me: { ...OWNER, plan: 'pro' } })
    await waitFor(() => assert.ok(isShown(/part of the Enterprise plan/)))
    assert.ok(screen.queryByRole('button', { name: 'Set up single sign-on' }) === null)
  })

  test('the typed texts of an identity provider are restored after a reload, and the client secret was never stored', async () => {
    const open = async () => {
      const calls = renderSsoSetup(null)
      await waitFor(() => button('Set up single sign-on'))
      press('Set up single sign-on')
      return calls
    }
    await open()
    write('Issuer', 'https://login.acme.test')
    write('E-mail domains', 'acme.test')
    write('Client id', 'slipway')
    write('Client secret', 'hunter2hunter2')
    assert.ok(!JSON.stringify(Object.entries(localStorage)).includes('hunter2'))
    cleanup()
    const calls = await open()
    assert.ok(isShown('Your unsent text is back.'))
    const texts = ['Issuer', 'E-mail domains', 'Client id', 'Client secret'].map(
      (label) => field(label).value,
    )
    assert.deepEqual(texts, ['https://login.acme.test', 'acme.test', 'slipway', ''])
    write('Client secret', 'hunter2hunter2')
    press('Connect provider')
    await waitFor(() => assert.equal(calls['POST /sso']?.length, 1))
    await waitFor(() => assert.equal(localStorage.length, 0))
  })

  test('the texts typed for an identity provider that the service refuses stay stored until Cancel', async () => {
    renderSsoSetup(null, {
      answers: { 'POST /sso': () => new Refusal(400, 'invalid_request', 'Not reachable.') },
    })
    await waitFor(() => button('Set up single sign-on'))
    press('Set up single sign-on')
    write('Issuer', 'https://login.acme.test')
    press('Connect provider')
    await assertAlert(/Not reachable/)
    assert.equal(localStorage.length, 1)
    press('Cancel')
    assert.equal(localStorage.length, 0)
  })
})
