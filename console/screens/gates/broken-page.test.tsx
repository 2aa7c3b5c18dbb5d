import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { screen, waitFor } from '@testing-library/react'
// Loaded in advance, because the page loads it on demand.
import '../../shell/bars/browser-connection.ts'
import { InAppShell } from '../../shell/in-app-shell.ts'
import { assertAlert, isThere, press, serve, showAt, untilSent } from '../../testing/console.tsx'
import { BrokenPage } from './broken-page.tsx'

const errorOf = (code: string, status: number, path = '/api/v1/projects') =>
  new SlipwayError(`The message of ${code}.`, { code, status, path })

/** Shows the page for an error. Returns how often the page was tried again. */
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
  test('an error shows its reason, and the page can be tried again', async () => {
    const resets = await showBroken(errorOf('server_error', 500))
    await assertAlert(/The service failed unexpectedly/)
    assert.equal(isThere('main'), true)
    press('Try again')
    assert.equal(resets(), 1)
  })

  test('inside of the frame of the console the page is no second main landmark', async () => {
    await showBroken(errorOf('server_error', 500), true)
    await assertAlert(/The service failed unexpectedly/)
    assert.equal(isThere('main'), false)
  })

  test('an error of the console itself is shown, too', async () => {
    await showBroken(new TypeError('x is undefined'))
    await assertAlert(/Something went wrong in this page/)
  })

  test('an address that the organization refuses shows its own page, and so does a user without an organization', async () => {
    serve({
      'GET /api/auth/organization/list-user-invitations': () => [],
      'GET /api/auth/get-session': () => null,
    })
    await showBroken(errorOf('ip_not_allowed', 403))
    assert.ok(await screen.findByText(/The message of ip_not_allowed/))
    assert.equal(isThere('alert'), false)
  })

  test('only a refusal to read the user means that there is no organization', async () => {
    await showBroken(errorOf('forbidden', 403, '/api/v1/projects'))
    await assertAlert(/The message of forbidden/)
  })

  test('after a lost connection the page is tried again as soon as the service responds, and not before', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    serve({ 'GET /health': () => promise })
    const resets = await showBroken(errorOf('connection', 0))
    await untilSent()
    assert.equal(resets(), 0)
    resolve(new Response(null, { status: 200 }))
    await waitFor(() => assert.equal(resets(), 1))
  })
})
