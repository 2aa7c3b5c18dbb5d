import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizationUrl } from '../auth/oauth-request.ts'
import { SERVICES } from './presets.ts'

const TRIP = { redirectUri: 'https://app.test/back', state: 's', verifier: 'v', more: {} }

test('scopes are parted by a comma at the services that document it, and by a space at all others', () => {
  const marked = Object.entries(SERVICES).map(([id, service]) => {
    const url = new URL(authorizationUrl({ clientId: 'c', ...service, scopes: ['one', 'two'] }, TRIP))
    return [id, url.searchParams.get('scope')]
  })
  const commas = marked.filter(([, scope]) => scope === 'one,two').map(([id]) => id)
  assert.deepEqual(commas, ['slack', 'linear'])
  assert.ok(marked.every(([, scope]) => scope === 'one,two' || scope === 'one two'))
})

test('every service has https addresses, so that no token or code travels in the clear', () => {
  for (const [id, { authorizeUrl, tokenUrl, apiBase, revokeUrl = apiBase }] of Object.entries(SERVICES))
    for (const url of [authorizeUrl, tokenUrl, apiBase, revokeUrl])
      assert.equal(new URL(url).protocol, 'https:', id)
})
