import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Me, SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import { waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { button, isShown, serve, showAt } from '../../../testing/console.tsx'
import { Security } from './security.tsx'

const ME = { role: 'owner', plan: 'enterprise' } as Me
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
  test('the security rules are shown only when the identity provider is loaded, so that they do not move', async () => {
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
})
