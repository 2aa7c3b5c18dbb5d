import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { screen, waitFor } from '@testing-library/react'
// The page loads this module on demand. Load it in advance, so that the tests do not wait for it.
import '../../shell/bars/browser-connection.ts'
import { InAppShell } from '../../shell/in-app-shell.ts'
import { assertAlert, isThere, press, serve, showAt, untilSent } from '../../testing/console.tsx'
import { BrokenPage } from './broken-page.tsx'

const errorOf = (code: string, status: number, path = '/api/v1/projects') =>
  new SlipwayError(`The message of ${code}.`, { code, status, path })

/** Shows the page for an error. Returns how often the page was retried. */
async function showBroken(error: Error, isInShell = false) {
  let resets = 0
  const Page = () => (
    <InAppShell value={isInShell}>
      <BrokenPage error={error} reset={() => (resets += 1)} />
    </InAppShell>
  )
  await showAt('/app/projects', Page, '/projects')
  return () => resets
}

describe('a page that cannot be shown', () => {
  test('a page that failed to open shows the reason and a button that tries again', async () => {
    const resets = await showBroken(errorOf('server_error', 500))
    await assertAlert(/The service failed unexpectedly/)
    assert.equal(isThere('main'), true)
    press('Try again')
    assert.equal(resets(), 1)
  })

  test('inside the layout of the console the error page adds no second main landmark', async () => {
    await showBroken(errorOf('server_error', 500), true)
    await assertAlert(/The service failed unexpectedly/)
    assert.equal(isThere('main'), false)
  })

  test('an exception in the code of the console is also shown as an error', async () => {
    await showBroken(new TypeError('x is undefined'))
    await assertAlert(/Something went wrong in this page/)
  })

  test('a user whose IP address the organization does not allow sees a page about the address instead of an alert', async () => {
    serve({
      'GET /api/auth/organization/list-user-invitations': () => [],
      'GET /api/auth/get-session': () => null,
    })
    await showBroken(errorOf('ip_not_allowed', 403))
    assert.ok(await screen.findByText(/The message of ip_not_allowed/))
    assert.equal(isThere('alert'), false)
  })

  test('a forbidden request for other data than the user is shown as an error, and not as a missing organization', async () => {
    await showBroken(errorOf('forbidden', 403, '/api/v1/projects'))
    await assertAlert(/The message of forbidden/)
  })

  test('after a lost connection the page is retried as soon as the service responds, and not before', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    serve({ 'GET /health': () => promise })
    const resets = await showBroken(errorOf('connection', 0))
    await untilSent()
    assert.equal(resets(), 0)
    resolve(new Response(null, { status: 200 }))
    await waitFor(() => assert.equal(resets(), 1))
  })
})
