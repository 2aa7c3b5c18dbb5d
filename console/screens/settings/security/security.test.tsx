import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Me, SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { button, field, isShown, press, serve, showAt, write } from '../../../testing/console.tsx'
import { securityText } from '../../../text/security.en.ts'
import { Security } from './security.tsx'

const ME = {
  user: { id: 'usr_1' },
  organization: { id: 'org_1' },
  role: 'owner',
  plan: 'enterprise',
} as Me
const POLICY: SecurityPolicy = {
  requireSso: false,
  requireTwoFactor: false,
  sessionLifetimeDays: null,
  allowedIps: [],
  anyPackages: false,
  ssoReady: false,
  callerAddress: '192.0.2.1',
}

describe('the security settings', () => {
  test('the security page shows its settings only after the single sign-on state has loaded, so that the layout does not shift', async () => {
    const provider = Promise.withResolvers<null>()
    const calls = serve({
      'GET /me': () => ME,
      'GET /security': () => POLICY,
      'GET /sso': () => provider.promise,
    })
    await showAt('/app/settings/security', Security, '/settings/security')
    await waitFor(() => {
      for (const read of ['GET /me', 'GET /security', 'GET /sso']) assert.equal(calls[read]?.length, 1, read)
      assert.equal(queryClient.isFetching(), 1)
    })
    assert.equal(isShown('Save settings'), false)
    provider.resolve(null)
    await waitFor(() => button('Save settings'))
    assert.equal(isShown('Set up single sign-on'), true)
  })

  test('when another admin saves a security rule while a user edits a different rule, neither change is lost', async () => {
    let stored = POLICY
    const calls = serve({
      'GET /me': () => ME,
      'GET /security': () => stored,
      'GET /sso': () => null,
      'GET /api/auth/get-session': () => ({ user: { twoFactorEnabled: true }, session: {} }),
      'PUT /security': ({ body }) => ({ ...stored, ...(body as object) }),
    })
    await showAt('/app/settings/security', Security, '/settings/security')
    await waitFor(() => button('Save settings'))
    write(securityText.addresses.label, '192.0.2.0/24')
    stored = { ...POLICY, anyPackages: true }
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.ok(field(securityText.anyPackages.label).checked))
    assert.equal(field(securityText.addresses.label).value, '192.0.2.0/24')
    press('Save settings')
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save settings' }))
    await waitFor(() => assert.equal(calls['PUT /security']?.length, 1))
    const { ssoReady: _ready, callerAddress: _own, ...rules } = POLICY
    assert.deepEqual(calls['PUT /security']?.[0]?.body, {
      ...rules,
      anyPackages: true,
      allowedIps: ['192.0.2.0/24'],
    })
  })

  test('typed IP addresses that were not saved are in their field again after a reload, until they are saved', async () => {
    const open = async () => {
      serve({
        'GET /me': () => ME,
        'GET /security': () => POLICY,
        'GET /sso': () => null,
        'GET /api/auth/get-session': () => ({ user: { twoFactorEnabled: true }, session: {} }),
        'PUT /security': ({ body }) => ({ ...POLICY, ...(body as object) }),
      })
      await showAt('/app/settings/security', Security, '/settings/security')
      await waitFor(() => button('Save settings'))
    }
    await open()
    write(securityText.addresses.label, '192.0.2.0/24')
    cleanup()
    await open()
    assert.ok(isShown('Your unsent text is back.'))
    assert.equal(field(securityText.addresses.label).value, '192.0.2.0/24')
    press('Save settings')
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save settings' }))
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})
