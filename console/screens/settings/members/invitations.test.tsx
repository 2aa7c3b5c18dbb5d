import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import type { Member, PendingInvitation, Role } from '../../../api/organization/members.ts'
import {
  assertAlert,
  button,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
} from '../../../testing/console.tsx'
import { pressInDialog } from '../../../testing/dialog.ts'
import { serveHeld } from '../../../testing/held.ts'
import { Invitations } from './invitations.tsx'

const LIST = 'GET /api/auth/organization/list-invitations'
const INVITE = 'POST /api/auth/organization/invite-member'
const CANCEL = 'POST /api/auth/organization/cancel-invitation'

const ada: Member = {
  id: 'mbr_ada',
  userId: 'usr_ada',
  role: 'owner',
  createdAt: '2026-01-01T00:00:00Z',
  user: { name: 'Ada', email: 'ada@example.test' },
}
const invitationOf = (name: string, part: Partial<PendingInvitation> = {}) => ({
  id: `inv_${name}`,
  email: `${name}@example.test`,
  role: 'member' as Role,
  status: 'pending',
  expiresAt: '2999-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  inviterId: ada.userId,
  ...part,
})
const grace = invitationOf('grace')

interface Shown {
  list?: () => unknown
  members?: Member[]
  role?: Role
  answers?: Record<string, () => unknown>
}

function renderInvitations({
  list = () => [grace],
  members = [ada],
  role = 'owner',
  answers = {},
}: Shown = {}) {
  const calls = serve({ [LIST]: list, [INVITE]: () => grace, [CANCEL]: () => null, ...answers })
  show(<Invitations members={members} role={role} />)
  return (key: string) => sent(calls, key)
}
const shownAddresses = () =>
  screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

describe('the open invitations', () => {
  test('while the invitations load, the members page does not say that there are none', async () => {
    const { isAsked, respond } = serveHeld(LIST, [])
    show(<Invitations members={[ada]} role="owner" />)
    await isAsked()
    assert.ok(isThere('status', 'Loading'))
    assert.ok(!isShown('No open invitations.'))
    await respond()
    await screen.findByText('No open invitations.')
  })

  test('invitations that cannot be loaded show the request id, and a retry shows them', async () => {
    const answers = [new Refusal(403, 'FORBIDDEN', 'You may not.'), [grace]]
    renderInvitations({ list: () => answers.shift() })
    await assertAlert(/req_test/)
    assert.ok(!isShown('No open invitations.'))
    press('Try again')
    await screen.findByText(grace.email)
  })

  test('open invitations are listed from the newest, and accepted, declined and cancelled ones are not', async () => {
    renderInvitations({
      list: () => [
        grace,
        invitationOf('hal', { createdAt: '2026-01-03T00:00:00Z' }),
        ...['accepted', 'rejected', 'canceled'].map((status) => ({ ...invitationOf(status), status })),
      ],
    })
    await screen.findByText(grace.email)
    assert.deepEqual(shownAddresses(), ['hal@example.test', 'grace@example.test'])
  })

  test('an invitation names its sender, by address when the sender has no name, and omits a sender who has left', async () => {
    for (const [members, words] of [
      [[ada], /^Member · invited by Ada · expires/],
      [[{ ...ada, user: { ...ada.user, name: '' } }], /^Member · invited by ada@example\.test · expires/],
      [[], /^Member · expires/],
    ] as const) {
      renderInvitations({ members: [...members] })
      assert.match((await screen.findByText(/expires/)).textContent ?? '', words)
      cleanup()
    }
  })
})

describe('what can be done with an invitation', () => {
  test('the copied link of an invitation opens it on this console', async (t) => {
    const copied: string[] = []
    t.mock.method(navigator.clipboard, 'writeText', async (text: string) => void copied.push(text))
    renderInvitations()
    await screen.findByText(grace.email)
    press('Copy link for grace@example.test')
    await screen.findByText('Copied')
    assert.deepEqual(copied, ['http://console.test/invite/inv_grace'])
  })

  test('pressing “Resend” twice sends an invitation once, and a message says how long it is valid', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(INVITE, grace, { [LIST]: () => [grace] })
    show(<Invitations members={[ada]} role="owner" />)
    await screen.findByText(grace.email)
    press('Resend')
    await isAsked()
    press(/Resend/)
    await respond()
    assert.ok(await findMessage('The invitation for grace@example.test works for 7 more days.'))
    assert.equal(bodies()?.length, 1)
  })

  test('an expired invitation that is sent again is replaced in the list by the new one', async () => {
    const expired = { ...grace, expiresAt: '2026-01-02T00:00:00Z' }
    let list = [expired]
    const renewed = { ...grace, id: 'inv_new' }
    renderInvitations({
      list: () => list,
      answers: {
        [INVITE]: () => {
          list = [renewed]
          return renewed
        },
      },
    })
    await screen.findByText('Expired')
    assert.ok(!isThere('button', /^Copy link/))
    press('Invite again')
    await waitFor(() => assert.ok(isThere('button', 'Copy link for grace@example.test')))
    assert.ok(!isShown('Expired'))
  })

  test('a cancelled invitation leaves the list, and a refused cancellation shows the request id and keeps the invitation', async () => {
    const list = [grace]
    const answers = [
      () => new Refusal(400, 'INVITATION_NOT_FOUND', 'It was accepted.'),
      () => list.pop() && null,
    ]
    const bodies = renderInvitations({
      list: () => list,
      answers: { [CANCEL]: () => answers.shift()?.() },
    })
    await screen.findByText(grace.email)
    press('Cancel invitation')
    await screen.findByRole('dialog', { name: 'Cancel the invitation for grace@example.test?' })
    pressInDialog('Cancel invitation')
    await assertAlert(/req_test/)
    assert.ok(isShown(grace.email))
    pressInDialog('Cancel invitation')
    await screen.findByText('No open invitations.')
    assert.deepEqual(bodies(CANCEL), [{ invitationId: 'inv_grace' }, { invitationId: 'inv_grace' }])
  })

  test('a member cannot resend or cancel an invitation, and an admin cannot resend an invitation for the role of owner', async () => {
    renderInvitations({ role: 'member' })
    await screen.findByText(grace.email)
    for (const name of ['Resend', 'Cancel invitation']) {
      assert.match(button(name).getAttribute('aria-description') ?? '', /^Owners and admins/, name)
      press(name)
    }
    assert.ok(!isThere('dialog'))
    cleanup()
    queryClient.clear()
    renderInvitations({ role: 'admin', list: () => [invitationOf('grace', { role: 'owner' })] })
    await waitFor(() =>
      assert.equal(button('Resend').getAttribute('aria-description'), 'Only owners can change an owner.'),
    )
    assert.equal(button('Cancel invitation').getAttribute('aria-description'), null)
  })
})
