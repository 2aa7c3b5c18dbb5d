import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Member, Role } from '../../../api/organization/members.ts'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { Members } from './members.tsx'

const LIST_MEMBERS = 'GET /api/auth/organization/list-members'
const LIST_INVITATIONS = 'GET /api/auth/organization/list-invitations'
const INVITE_MEMBER = 'POST /api/auth/organization/invite-member'
const CANCEL_INVITATION = 'POST /api/auth/organization/cancel-invitation'
const UPDATE_ROLE = 'POST /api/auth/organization/update-member-role'

const memberOf = (name: string, role: Role, n: number): Member => ({
  id: `mbr_${name}`,
  userId: `usr_${name}`,
  role,
  createdAt: `2026-01-0${n}T00:00:00Z`,
  user: { name, email: `${name.toLowerCase()}@example.test` },
})
const ada = memberOf('Ada', 'owner', 1)
const bob = memberOf('Bob', 'member', 2)
const pendingInvitation = {
  id: 'inv_1',
  email: 'grace@example.test',
  role: 'member',
  status: 'pending',
  expiresAt: '2999-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  inviterId: ada.userId,
}

interface MembersOptions {
  as?: Member
  members?: Member[]
  invitations?: object[]
  answers?: Record<string, () => unknown>
}

async function renderMembers({
  as = ada,
  members = [ada, bob],
  invitations = [],
  answers = {},
}: MembersOptions = {}) {
  const calls = serve({
    'GET /me': () => ({ user: { id: as.userId, ...as.user }, role: as.role, scopes: [], plan: 'free' }),
    [LIST_MEMBERS]: () => ({ members }),
    [LIST_INVITATIONS]: () => invitations,
    [INVITE_MEMBER]: () => pendingInvitation,
    [CANCEL_INVITATION]: () => null,
    [UPDATE_ROLE]: () => null,
    ...answers,
  })
  await showAt('/app/settings/members', Members, '/settings/members')
  await screen.findByRole('heading', { name: 'Invitations' })
  await screen.findByText('You')
  return calls
}

describe('the members of an organization', () => {
  test("when an organization has one member, its members page says that the user can send an invitation's link themselves", async () => {
    await renderMembers({ members: [ada] })
    assert.ok(isShown(/you can send the link yourself/))
    assert.ok(await screen.findByText('No open invitations.'))
  })

  test('the role of the only owner cannot be changed, and the members page says to make another member an owner first', async () => {
    await renderMembers()
    assert.equal(field('Role of Ada').disabled, true)
    assert.ok(isShown('The only owner. Make another member an owner first.'))
    press('Remove Ada')
    assert.ok(!isThere('dialog'))
  })

  test("before a member's new role is sent, a dialog says what the role allows and asks for confirmation", async () => {
    const calls = await renderMembers()
    write('Role of Bob', 'admin')
    const dialog = await screen.findByRole('dialog', { name: 'Make Bob an admin?' })
    assert.match(dialog.textContent ?? '', /Admins also change members/)
    await untilSent()
    assert.deepEqual(calls[UPDATE_ROLE], [])
    press('Change role')
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.deepEqual(sent(calls, UPDATE_ROLE), [{ memberId: bob.id, role: 'admin' }])
    assert.equal(calls[LIST_MEMBERS]?.length, 2)
  })

  test("a member's role stays unchanged when its change is refused", async () => {
    await renderMembers({ answers: { [UPDATE_ROLE]: () => new Refusal(403, 'forbidden', 'You may not.') } })
    write('Role of Bob', 'admin')
    await screen.findByRole('dialog')
    press('Change role')
    await assertAlert(/You may not.*req_test/)
    press('Cancel')
    assert.equal(field('Role of Bob').value, 'member')
  })

  test('a member sees all members and who may change them, but cannot invite', async () => {
    const calls = await renderMembers({ as: bob })
    assert.equal(field('Role of Ada').disabled, true)
    press('Invite member')
    assert.ok(!isThere('dialog'))
    assert.equal(screen.getAllByText('Owners and admins can invite, change and remove members.').length, 1)
    await untilSent()
    assert.deepEqual(calls[INVITE_MEMBER], [])
  })

  test('a list of eight or more members can be searched by name and address', async () => {
    const many = ['Cyd', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal'].map((name, n) => memberOf(name, 'member', n + 3))
    await renderMembers({ members: [ada, bob, ...many] })
    write('Search members', ' EVE@ ')
    await screen.findByText('1 member')
    write('Search members', 'nothing')
    assert.ok(await screen.findByText('No member matches “nothing”'))
  })
})

describe('the invitation of a member', () => {
  const openForm = async (shown: MembersOptions = {}) => {
    const calls = await renderMembers(shown)
    press('Invite member')
    await screen.findByRole('dialog', { name: 'Invite to the organization' })
    return calls
  }

  test('an invitation is created with the chosen role, and its link is shown', async () => {
    const calls = await openForm()
    write('E-mail', 'grace@example.test')
    write('Role', 'admin')
    assert.ok(isShown(/Admins also change members/))
    press('Create invitation')
    const dialog = within(await screen.findByRole('dialog', { name: 'Invitation for grace@example.test' }))
    assert.ok(dialog.getByText(/^http:.*inv_1$/))
    assert.deepEqual(sent(calls, INVITE_MEMBER)?.[0], { email: 'grace@example.test', role: 'admin' })
    press('Done')
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('an admin cannot invite a person as an owner', async () => {
    await openForm({ as: { ...bob, role: 'admin' } })
    const roles = within(field('Role')).getAllByRole('option')
    assert.deepEqual(
      roles.map(({ textContent }) => textContent),
      ['Admin', 'Member'],
    )
  })

  test('an e-mail address that is invalid or belongs to a member is explained at the field of the invitation form', async () => {
    const answers = [
      new Refusal(400, 'INVALID_EMAIL', 'Invalid email'),
      new Refusal(400, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION', 'Already a member'),
    ]
    await openForm({ answers: { [INVITE_MEMBER]: () => answers.shift() } })
    write('E-mail', 'bob@')
    press('Create invitation')
    assert.ok(await screen.findByText('Enter an e-mail address, like grace@example.com.'))
    write('E-mail', 'bob@example.test')
    press('Create invitation')
    assert.ok(await screen.findByText('This address already belongs to a member.'))
    assert.equal(field('E-mail').value, 'bob@example.test')
    assert.equal(field('E-mail').getAttribute('aria-invalid'), 'true')
  })

  test('an invitation that is refused for a reason other than its address shows the request id and keeps the input', async () => {
    await openForm({
      answers: { [INVITE_MEMBER]: () => new Refusal(429, 'rate_limited', 'Too many invitations.') },
    })
    write('E-mail', 'grace@example.test')
    press('Create invitation')
    await assertAlert(/not created.*Too many invitations.*req_test/)
    assert.equal(field('E-mail').value, 'grace@example.test')
  })
})

describe('an open invitation', () => {
  const expired = { ...pendingInvitation, expiresAt: '2026-01-02T00:00:00Z' }

  test('a pending invitation shows who sent it and offers its link to copy, and an accepted invitation is not listed', async () => {
    await renderMembers({
      invitations: [
        pendingInvitation,
        { ...pendingInvitation, id: 'inv_2', email: 'gone@example.test', status: 'accepted' },
      ],
    })
    assert.ok(await screen.findByRole('heading', { name: pendingInvitation.email }))
    assert.ok(isShown(/invited by Ada/))
    assert.ok(button('Copy link for grace@example.test'))
    assert.ok(!isShown('gone@example.test'))
  })

  test('an expired invitation shows no link and can be sent again', async () => {
    const calls = await renderMembers({ invitations: [expired] })
    assert.ok(await screen.findByText('Expired'))
    assert.ok(!isThere('button', /Copy link/))
    press('Invite again')
    assert.ok(await findMessage('The invitation for grace@example.test works for 7 more days.'))
    assert.deepEqual(sent(calls, INVITE_MEMBER)?.[0], {
      email: pendingInvitation.email,
      role: 'member',
      resend: true,
    })
  })

  test('a failed attempt to resend an invitation shows the reason and the request id', async () => {
    await renderMembers({
      invitations: [pendingInvitation],
      answers: { [INVITE_MEMBER]: () => new Refusal(502, 'upstream_error', 'The mail server refused it.') },
    })
    await screen.findByText(pendingInvitation.email)
    press('Resend')
    await assertAlert(/mail server refused it.*req_test/)
  })

  test('cancelling an invitation asks for confirmation, and “Keep it” in that dialog sends nothing', async () => {
    const invitations = [pendingInvitation]
    const calls = await renderMembers({
      invitations,
      answers: { [CANCEL_INVITATION]: () => invitations.pop() && null },
    })
    await screen.findByText(pendingInvitation.email)
    press('Cancel invitation')
    const dialog = await screen.findByRole('dialog', {
      name: 'Cancel the invitation for grace@example.test?',
    })
    press('Keep it')
    await untilSent()
    assert.deepEqual(calls[CANCEL_INVITATION], [])
    press('Cancel invitation')
    await waitFor(() => assert.ok(screen.getByRole('dialog') !== dialog))
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel invitation' }))
    await screen.findByText('No open invitations.')
    assert.deepEqual(sent(calls, CANCEL_INVITATION)?.[0], { invitationId: 'inv_1' })
  })

  test('an admin cannot resend an invitation for the role of owner', async () => {
    await renderMembers({
      as: { ...bob, role: 'admin' },
      invitations: [{ ...pendingInvitation, role: 'owner' }],
    })
    await screen.findByText(pendingInvitation.email)
    assert.equal(button('Resend').getAttribute('aria-description'), 'Only owners can change an owner.')
  })
})
