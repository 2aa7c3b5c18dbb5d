import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { AccountButton, DisconnectButton, SignInButton } from './connection-actions.tsx'

const START = 'GET /connections/cloudflare/start'
const DISCONNECT = 'DELETE /connections/github'
const REASON = 'Owners and admins change this.'

function renderDisconnect(answer: () => unknown, reason: string | null = null) {
  const did: string[] = []
  const calls = serve({ [DISCONNECT]: answer })
  show(<DisconnectButton provider="github" reason={reason} onDone={(sentence) => did.push(sentence)} />)
  return { calls, did }
}

describe('the buttons of a connection', () => {
  test('a sign-in at a provider opens the URL that the service returns, and a second press sends no second request', async (t) => {
    const gone = t.mock.method(location, 'assign', () => {})
    const calls = serve({ [START]: () => ({ url: 'https://dash.cloudflare.test/oauth' }) })
    show(<SignInButton provider="cloudflare" profile="real" label="Sign in" reason={null} />)
    press('Sign in')
    await waitFor(() => assert.equal(gone.mock.callCount(), 1))
    assert.deepEqual(gone.mock.calls[0]?.arguments, ['https://dash.cloudflare.test/oauth'])
    press(/Sign in/)
    await untilSent()
    assert.deepEqual(
      calls[START]?.map(({ query }) => query),
      [{ profile: 'real', next: '/settings/connections' }],
    )
  })

  test('a sign-in at a provider can be started again after the browser restored the page from its back/forward cache', async (t) => {
    const gone = t.mock.method(location, 'assign', () => {})
    const calls = serve({ [START]: () => ({ url: 'https://dash.cloudflare.test/oauth' }) })
    show(<SignInButton provider="cloudflare" profile="real" label="Sign in" reason={null} />)
    press('Sign in')
    await waitFor(() => assert.equal(gone.mock.callCount(), 1))
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
    await waitFor(() => assert.equal(button('Sign in').getAttribute('aria-busy'), null))
    press('Sign in')
    await waitFor(() => assert.equal(gone.mock.callCount(), 2))
    assert.equal(calls[START]?.length, 2)
  })

  test('a sign-in at a provider that cannot be started shows the reason, and can be started again', async (t) => {
    const gone = t.mock.method(location, 'assign', () => {})
    const answers = [
      new Refusal(409, 'conflict', 'No client id is set.'),
      { url: 'https://dash.cloudflare.test/' },
    ]
    serve({ [START]: () => answers.shift() })
    show(<SignInButton provider="cloudflare" profile="real" label="Sign in" reason={null} />)
    press('Sign in')
    await assertAlert(/No client id is set/)
    assert.equal(gone.mock.callCount(), 0)
    press('Sign in')
    await waitFor(() => assert.equal(gone.mock.callCount(), 1))
    assert.equal(isThere('alert'), false)
  })

  for (const [revoked, sentence] of [
    [true, 'GitHub is disconnected and its access was revoked.'],
    [
      false,
      'GitHub is disconnected. The token itself still works: revoke it at the provider when nothing else uses it.',
    ],
  ] as const)
    test(`a connection is removed after a confirmation, and the message says that its access was ${revoked ? 'revoked' : 'not revoked'}`, async () => {
      const { calls, did } = renderDisconnect(() => ({ revoked }))
      press('Disconnect')
      await waitFor(() => button('Disconnect account'))
      await untilSent()
      assert.deepEqual(calls[DISCONNECT], [])
      press('Disconnect account')
      await waitFor(() => assert.deepEqual(did, [sentence]))
      await waitFor(() => assert.equal(isThere('dialog'), false))
    })

  test('when a connection cannot be removed, its dialog stays open and shows the reason', async () => {
    const { did } = renderDisconnect(() => new Refusal(409, 'conflict', 'A ship is running.'))
    press('Disconnect')
    await waitFor(() => button('Disconnect account'))
    press('Disconnect account')
    await assertAlert(/A ship is running/)
    assert.deepEqual(did, [])
  })

  test('the buttons of a connection do nothing for a member and say why, and no account dialog opens on its own', async () => {
    renderDisconnect(() => assert.fail('nothing is sent'), REASON)
    show(<AccountButton label="Choose" reason={REASON} isPrimary startOpen />)
    for (const label of ['Disconnect', 'Choose']) {
      assert.equal(button(label).getAttribute('aria-description'), REASON)
      press(label)
    }
    await untilSent()
    assert.equal(isThere('dialog'), false)
  })
})
