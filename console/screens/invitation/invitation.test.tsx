import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import { assertAlert, isShown, isThere, press, Refusal, sent, serve, showAt } from '../../testing/console.tsx'
import { Invitation } from './invitation.tsx'

const READ = 'GET /invitations/inv_1'
const ACCEPT = 'POST /api/auth/organization/accept-invitation'
const REJECT = 'POST /api/auth/organization/reject-invitation'
const SESSION = 'GET /api/auth/get-session'
const ADA = { user: { id: 'usr_ada', name: 'Ada', email: 'ada@example.test' }, session: { token: 't' } }
const offer = (status = 'pending') => ({
  organization: { name: 'Acme' },
  inviter: { name: 'Grace' },
  role: 'admin',
  status,
})

let left: string[] = []

async function openInvitation(answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [READ]: () => offer(),
    [SESSION]: () => ADA,
    [ACCEPT]: () => ({ invitation: { organizationId: 'org_acme' } }),
    [REJECT]: () => ({}),
    ...answers,
  })
  await showAt('/signed-out/invite/$invitationId', Invitation, '/invite/inv_1')
  return calls
}
const heading = async (name: string) => assert.ok(await screen.findByRole('heading', { name }))
const links = () =>
  screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')] as const)

describe('the page of an invitation', () => {
  beforeEach(() => {
    left = []
    mock.method(location, 'assign', (path: string) => left.push(path))
  })
  afterEach(() => mock.restoreAll())

  test('a visitor with an invitation can sign in or sign up, and both links lead back to the invitation', async () => {
    await openInvitation({ [SESSION]: () => null })
    await heading('Join Acme')
    assert.ok(isShown(/^Grace invites you as an admin/))
    assert.deepEqual(links(), [
      ['Create an account', '/sign-up?next=%2Finvite%2Finv_1'],
      ['Sign in to join', '/sign-in?next=%2Finvite%2Finv_1'],
    ])
  })

  test('accepting an invitation joins the organization, stores it as the last used organization, and opens the console', async () => {
    const calls = await openInvitation()
    await heading('Join Acme')
    press('Join Acme')
    await waitFor(() => assert.deepEqual(left, ['/']))
    assert.deepEqual(sent(calls, ACCEPT), [{ invitationId: 'inv_1' }])
    assert.equal(localStorage.getItem('slipway.organizations.usr_ada'), '["org_acme"]')
    assert.equal(isThere('button', 'Join Acme'), false)
  })

  test('after an invitation is declined the page confirms that, and the user joins no organization', async () => {
    const calls = await openInvitation()
    await heading('Join Acme')
    press('Decline')
    await heading('Invitation declined')
    assert.deepEqual([sent(calls, REJECT), sent(calls, ACCEPT), left], [[{ invitationId: 'inv_1' }], [], []])
  })

  test('an invitation that was used, declined, withdrawn or has expired cannot be accepted', async () => {
    for (const [status, title] of [
      ['accepted', 'This invitation was used'],
      ['rejected', 'This invitation was declined'],
      ['cancelled', 'This invitation was withdrawn'],
      ['expired', 'This invitation has expired'],
    ] as const) {
      await openInvitation({ [READ]: () => offer(status) })
      await heading(title)
      assert.equal(isThere('button'), false)
      cleanup()
      queryClient.clear()
    }
  })

  test('the invitation page says when an invitation is unknown, and offers a retry when it cannot be loaded', async () => {
    let answer: unknown = new Refusal(400, 'invalid_request', 'The id is malformed.')
    await openInvitation({ [READ]: () => answer })
    await assertAlert(/The id is malformed/)
    answer = new Refusal(404, 'not_found', 'No such invitation.')
    press(/again/i)
    await heading('This invitation is unknown')
  })

  test('when an invitation is for another e-mail address, its page explains this and has no button to join', async () => {
    await openInvitation({
      [ACCEPT]: () => new Refusal(403, 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION', 'No.'),
    })
    await heading('Join Acme')
    press('Join Acme')
    await heading('This invitation is for another account')
    assert.deepEqual(
      [isThere('button', 'Join Acme'), isThere('button', 'Use another account')],
      [false, true],
    )
    assert.deepEqual(left, [])
  })

  test('a failed acceptance of an invitation shows the reason, and the invitation can then be accepted', async () => {
    const answers = [
      new Refusal(500, 'server_error', 'Something went wrong.'),
      { invitation: { organizationId: 'org_acme' } },
    ]
    const calls = await openInvitation({ [ACCEPT]: () => answers.shift() })
    await heading('Join Acme')
    press('Join Acme')
    await assertAlert(/You have not joined/)
    press('Join Acme')
    await waitFor(() => assert.deepEqual(left, ['/']))
    assert.equal(calls[ACCEPT]?.length, 2)
  })

  test('an invitation that was accepted by a request whose response was lost is shown as used', async () => {
    let status = 'pending'
    await openInvitation({
      [READ]: () => offer(status),
      [ACCEPT]: () => {
        status = 'accepted'
        throw new TypeError('The connection was lost.')
      },
    })
    await heading('Join Acme')
    press('Join Acme')
    await heading('This invitation was used')
    assert.deepEqual(links(), [['Go to your projects', '/']])
  })
})
