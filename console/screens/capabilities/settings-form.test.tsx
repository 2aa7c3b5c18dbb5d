import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { field, press, serve, show, write } from '../../testing/console.tsx'
import { SettingsForm } from './settings-form.tsx'

const AT = 'PUT /projects/prj_1/capabilities/auth'
const SETTINGS = {
  methods: { password: true, emailCode: false, passkey: false, oauth: [] },
  sessionDays: 30,
  openSignup: true,
  passwordMin: 10,
  redirectUris: [],
}
const capability = { key: 'auth', enabled: true, settings: SETTINGS } as unknown as Capability

function open() {
  const calls = serve({
    [AT]: () => ({ ...capability, alsoOff: [] }),
    'GET /projects/prj_1/capabilities': () => [],
  })
  show(<SettingsForm projectId="prj_1" capability={capability} info={CAPABILITIES.auth} />)
  return () => calls[AT]?.map(({ body }) => body)
}

describe('the settings of accounts', () => {
  test('sign-in methods are switches, and a provider adds the field of its secret', async () => {
    const sent = open()
    field('Code by email').click()
    press('Other providers: add one')
    write('Provider', 'club')
    write('Client id', 'our-app')
    write('Scopes', 'openid, email')
    write('Client secret of club', 'a secret')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const oauth = [{ id: 'club', clientId: 'our-app', scopes: ['openid', 'email'] }]
    assert.deepEqual(sent()?.[0], {
      enabled: true,
      settings: { methods: { ...SETTINGS.methods, emailCode: true, oauth } },
      secrets: { clubClientSecret: 'a secret' },
    })
  })

  test('removing a provider leaves its texts to no other', async () => {
    const sent = open()
    press('Other providers: add one')
    write('Provider', 'first')
    press('Other providers: remove 1')
    press('Other providers: add one')
    assert.equal(field('Provider').value, '')
    write('Provider', 'second')
    write('Client id', 'second-app')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const [{ settings }] = sent() as [{ settings: { methods: { oauth: object[] } } }]
    assert.deepEqual(settings.methods.oauth, [{ id: 'second', clientId: 'second-app' }])
  })
})
