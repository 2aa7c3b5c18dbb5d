import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { assertAlert, isShown, press, serve, show, untilSent, write } from '../../testing/console.tsx'
import { SsoEntry } from './sso-entry.tsx'

const BEGIN_SSO = 'POST /api/auth/sign-in/sso'

function renderSsoEntry(answer: () => unknown) {
  const left: string[] = []
  const calls = serve({ [BEGIN_SSO]: answer })
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

describe('starting single sign-on', () => {
  test("starting single sign-on sends the page to return to, and opens the organization's identity provider", async () => {
    const { calls, left } = renderSsoEntry(() => ({ url: 'https://idp.test/authorize', redirect: true }))
    write('E-mail', ' ada@acme.test ')
    press('Continue')
    await waitFor(() => assert.deepEqual(left, ['https://idp.test/authorize']))
    assert.deepEqual(calls[BEGIN_SSO]?.[0]?.body, { email: 'ada@acme.test', callbackURL: '/projects' })
  })

  test('single sign-on with an e-mail address of no identity provider shows an alert, and the browser stays on the page', async () => {
    const body = {
      code: 'NO_SSO_PROVIDER',
      message: 'No organization has set up single sign-on for this address.',
    }
    const { left } = renderSsoEntry(() => Response.json(body, { status: 404 }))
    write('E-mail', 'ada@other.test')
    press('Continue')
    await assertAlert(/No organization has set up single sign-on for this address/)
    assert.deepEqual(left, [])
  })

  test('text that is not an e-mail address does not start single sign-on', async () => {
    const { calls } = renderSsoEntry(() => null)
    write('E-mail', 'ada')
    press('Continue')
    assert.ok(isShown(/Enter an e-mail address/))
    await untilSent()
    assert.equal(calls[BEGIN_SSO]?.length, 0)
  })
})
