import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { SsoForm } from './sso-form.tsx'

const SAVE = 'POST /sso'
const invalid = (message: string) => () => new Refusal(400, 'invalid_request', message)

function renderForm(answer: () => unknown = () => ({ kind: 'oidc' }), { replaces = false } = {}) {
  const closed: string[] = []
  const calls = serve({ [SAVE]: answer })
  const { unmount } = show(<SsoForm replaces={replaces} onClose={() => closed.push('closed')} />)
  return { closed, unmount, saved: () => sent(calls, SAVE) }
}
const descriptionOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent

const CERTIFICATE = 'Signing certificate (PEM)'
const OIDC = {
  Issuer: ' https://login.acme.test ',
  'E-mail domains': 'acme.test ',
  'Client id': ' slipway',
  'Client secret': ' secret ',
}
const SAML = {
  'Entity id of the provider': 'https://idp.acme.test',
  'E-mail domains': 'acme.test',
  'Sign-on address': 'https://idp.acme.test/sso',
  [CERTIFICATE]: '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n',
}
const fill = (values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) write(label, value)
}

describe('the form of an identity provider', () => {
  test('a field of an identity provider that the service refuses takes the focus', async () => {
    renderForm(invalid('oidcConfig.clientId: is not accepted'))
    fill(OIDC)
    button('Connect provider').focus()
    press('Connect provider')
    await waitFor(() => assert.equal(field('Client id').getAttribute('aria-invalid'), 'true'))
    assert.ok(document.activeElement === field('Client id'))
  })

  test('the form of an identity provider sends the trimmed values of the chosen protocol, and none of the other protocol', async () => {
    const { saved, closed } = renderForm()
    write('Protocol', 'saml')
    write('Sign-on address', 'https://idp.acme.test/sso')
    write('Protocol', 'oidc')
    fill(OIDC)
    press('Connect provider')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(saved(), [
      {
        issuer: 'https://login.acme.test',
        domain: 'acme.test',
        oidcConfig: { clientId: 'slipway', clientSecret: 'secret' },
      },
    ])
  })

  test('the certificate of an identity provider is sent with its line breaks', async () => {
    const { saved } = renderForm()
    write('Protocol', 'saml')
    fill(SAML)
    press('Connect provider')
    await waitFor(() => assert.equal(saved()?.length, 1))
    assert.deepEqual(saved()?.[0], {
      issuer: 'https://idp.acme.test',
      domain: 'acme.test',
      samlConfig: {
        entryPoint: 'https://idp.acme.test/sso',
        cert: '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
      },
    })
  })

  for (const [protocol, path, label] of [
    ['oidc', 'issuer', 'Issuer'],
    ['oidc', 'domain', 'E-mail domains'],
    ['oidc', 'oidcConfig.clientId', 'Client id'],
    ['oidc', 'oidcConfig.clientSecret', 'Client secret'],
    ['saml', 'issuer', 'Entity id of the provider'],
    ['saml', 'samlConfig.entryPoint', 'Sign-on address'],
    ['saml', 'samlConfig.cert', CERTIFICATE],
  ] as const)
    test(`the service's error for “${label}” (${protocol}) is the accessible description of the field, and its label stays`, async () => {
      renderForm(invalid(`${path}: is not right`))
      write('Protocol', protocol)
      press('Connect provider')
      await waitFor(() => assert.ok(isShown('Is not right.')))
      assert.equal(descriptionOf(label), 'Is not right.')
      assert.equal(field(label).getAttribute('aria-invalid'), 'true')
    })

  test('an error that names no field is shown above the form of an identity provider, and the form keeps what was typed', async () => {
    const { closed } = renderForm(() => new Refusal(409, 'conflict', 'Another organization has this domain.'))
    fill(OIDC)
    press('Connect provider')
    await assertAlert(/Another organization has this domain/)
    assert.deepEqual([field('Client secret').value, closed], [' secret ', []])
  })

  test('submitting the form of an identity provider again during its request saves the provider once', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { saved, closed } = renderForm(() => promise)
    fill(OIDC)
    press('Connect provider')
    await waitFor(() => assert.equal(saved()?.length, 1))
    press(/Connect provider/)
    fireEvent.click(screen.getByRole('button', { name: /Connect provider/ }))
    await untilSent()
    resolve({ kind: 'oidc' })
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.equal(saved()?.length, 1)
  })

  test('a saved identity provider is cached, and the cached security rules are marked as stale', async () => {
    queryClient.setQueryData(queryKeys.security, { requireSso: false })
    const provider = { kind: 'oidc', issuer: 'https://login.acme.test' }
    const { closed } = renderForm(() => provider)
    fill(OIDC)
    press('Connect provider')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(queryClient.getQueryData(queryKeys.sso), provider)
    assert.equal(queryClient.getQueryState(queryKeys.security)?.isInvalidated, true)
    assert.equal(localStorage.length, 0)
  })

  test('the typed protocol and certificate of an identity provider are restored after a reload, but never the client secret', () => {
    const { unmount } = renderForm()
    write('Client secret', 'hunter2')
    write('Protocol', 'saml')
    write(CERTIFICATE, SAML[CERTIFICATE])
    assert.ok(!JSON.stringify(Object.entries(localStorage)).includes('hunter2'))
    unmount()
    renderForm()
    assert.equal(field(CERTIFICATE).value, SAML[CERTIFICATE])
    assert.equal(field('Protocol').value, 'saml')
    assert.equal(field('Client secret').value, '')
  })

  test('“Cancel” closes the form of an identity provider and removes its draft', () => {
    const { closed } = renderForm()
    write('Issuer', 'https://login.acme.test')
    press('Cancel')
    assert.deepEqual([closed, localStorage.length], [['closed'], 0])
  })

  test('the form of an identity provider warns that the current provider ends only when there is one to replace', () => {
    const { unmount } = renderForm(undefined, { replaces: true })
    assert.ok(isShown(/^The current provider ends/))
    unmount()
    renderForm()
    assert.ok(!isShown(/^The current provider ends/))
  })
})
