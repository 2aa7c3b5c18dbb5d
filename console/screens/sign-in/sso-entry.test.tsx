import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { assertAlert, isShown, press, serve, show, write } from '../../testing/console.tsx'
import { SsoEntry } from './sso-entry.tsx'

const BEGIN = 'POST /api/auth/sign-in/sso'

function open(answer: () => unknown) {
  const left: string[] = []
  const calls = serve({ [BEGIN]: answer })
  show(
    <SsoEntry
      title={null}
      next="/projects"
      onBack={() => left.push('back')}
      leave={(url) => left.push(url)}
    />,
  )
  return { calls, left }
}

describe('signing in with an organization', () => {
  test('the address leads to the page of the provider, and back to the page that was asked for', async () => {
    const { calls, left } = open(() => ({ url: 'https://idp.test/authorize', redirect: true }))
    write('E-mail', ' ada@acme.test ')
    press('Continue')
    await waitFor(() => assert.deepEqual(left, ['https://idp.test/authorize']))
    assert.deepEqual(calls[BEGIN]?.[0]?.body, { email: 'ada@acme.test', callbackURL: '/projects' })
  })

  test('an address without a provider is an alert, and the browser stays', async () => {
    const body = {
      code: 'NO_SSO_PROVIDER',
      message: 'No organization has set up single sign-on for this address.',
    }
    const { left } = open(() => Response.json(body, { status: 404 }))
    write('E-mail', 'ada@other.test')
    press('Continue')
    await assertAlert(/No organization has set up single sign-on for this address/)
    assert.deepEqual(left, [])
  })

  test('text that is no address is refused before anything is sent', () => {
    const { calls } = open(() => null)
    write('E-mail', 'ada')
    press('Continue')
    assert.ok(isShown(/Enter an e-mail address/))
    assert.equal(calls[BEGIN]?.length, 0)
  })
})
