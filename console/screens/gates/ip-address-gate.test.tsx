import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { press, serve, show } from '../../testing/console.tsx'
import { IpAddressGate } from './ip-address-gate.tsx'

test('the page for a refused IP address shows the message of the service unchanged', async () => {
  const message = 'Calls by 2001:db8::1 are blocked here.'
  const error = new SlipwayError(message, {
    code: 'ip_not_allowed',
    status: 403,
    method: 'GET',
    path: '/me',
  })
  let retries = 0
  serve({ 'GET /api/auth/organization/list': () => [] })
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <IpAddressGate error={error} onPassed={() => (retries += 1)} />,
    }),
    history: createMemoryHistory(),
  })
  // The provider accepts only the type of the app's own router, so cast this router.
  show(<RouterProvider router={router as never} />)
  await screen.findByText(message)
  screen.getByRole('button', { name: 'Copy: Message of the service' })
  press('Try again')
  assert.equal(retries, 1)
})
