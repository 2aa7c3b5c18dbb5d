import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import type { Member, Role } from '../../../api/organization/members.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { inDialog, pressInDialog } from '../../../testing/dialog.ts'
import { serveHeld } from '../../../testing/held.ts'
import { MemberRow } from './member-row.tsx'
import type { Viewer } from './rights.ts'

const UPDATE_ROLE = 'POST /api/auth/organization/update-member-role'
const LAST_OWNER = 'The only owner. Make another member an owner first.'
const MANAGERS_ONLY = 'Owners and admins can invite, change and remove members.'
const OWNERS_ONLY = 'Only owners can change an owner.'

const memberOf = (role: Role, user: Partial<Member['user']> = {}): Member => ({
  id: 'mbr_bob',
  userId: 'usr_bob',
  role,
  createdAt: '2026-01-01T00:00:00Z',
  user: { name: 'Bob', email: 'bob@example.test', ...user },
})
const viewerOf = (role: Role, part: Partial<Viewer> = {}): Viewer => ({
  userId: 'usr_ada',
  role,
  owners: 2,
  ...part,
})

/** Shows a member to a viewer, before a fake of the service that responds to a change of the role with `answer`. */
function renderRow(member: Member, viewer: Viewer, answer: () => unknown = () => null) {
  const calls = serve({ [UPDATE_ROLE]: answer })
  const { rerender } = show(<MemberRow member={member} viewer={viewer} />)
  return {
    bodies: () => sent(calls, UPDATE_ROLE),
    change: (next: Member, by = viewer) => rerender(<MemberRow member={next} viewer={by} />),
  }
}
const choices = (name = 'Bob') =>
  within(field(`Role of ${name}`))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
const askFor = async (role: Role) => {
  write('Role of Bob', role)
  await screen.findByRole('dialog')
}

describe('the row of a member', () => {
  test('a member without a name is called by their e-mail address', () => {
    renderRow(memberOf('member', { name: '' }), viewerOf('owner'))
    assert.ok(field('Role of bob@example.test'))
    assert.ok(button('Remove bob@example.test'))
    assert.ok(isShown('bob@example.test'))
  })

  test('in the list of members only the row of the viewer is marked with “You”', () => {
    const { change } = renderRow(memberOf('member'), viewerOf('owner'))
    assert.ok(!isShown('You'))
    change(memberOf('member'), viewerOf('owner', { userId: 'usr_bob' }))
    assert.ok(isShown('You'))
  })

  test('a member name that looks like HTML is shown as text, even in the dialog that confirms a change', async () => {
    const name = '<b>Bob</b>'
    renderRow(memberOf('member', { name }), viewerOf('owner'))
    assert.ok(isShown(name))
    write(`Role of ${name}`, 'admin')
    await screen.findByRole('dialog', { name: `Make ${name} an admin?` })
    assert.ok(document.querySelector('b') === null)
  })

  test("the viewer's role decides whose roles they may change and to what, and a row says why a change is not allowed", () => {
    const { change } = renderRow(memberOf('member'), viewerOf('owner'))
    for (const [role, viewer, isChangeable, roles, why] of [
      ['member', viewerOf('owner'), true, ['Owner', 'Admin', 'Member'], null],
      ['owner', viewerOf('owner'), true, ['Owner', 'Admin', 'Member'], null],
      ['owner', viewerOf('owner', { owners: 1 }), false, ['Owner', 'Admin', 'Member'], LAST_OWNER],
      ['member', viewerOf('admin'), true, ['Admin', 'Member'], null],
      ['owner', viewerOf('admin'), false, ['Owner', 'Admin', 'Member'], OWNERS_ONLY],
      ['owner', viewerOf('member'), false, ['Owner', 'Admin', 'Member'], null],
    ] as const) {
      change(memberOf(role), viewer)
      const at = `${viewer.role} sees ${role}`
      assert.equal(field('Role of Bob').disabled, !isChangeable, at)
      assert.equal(field('Role of Bob').value, role, at)
      assert.deepEqual(choices(), roles, at)
      for (const reason of [LAST_OWNER, OWNERS_ONLY, MANAGERS_ONLY])
        assert.equal(isShown(reason), reason === why, at)
    }
  })

  test('a member who cannot be removed has a button that says why and opens nothing', async () => {
    const { change } = renderRow(memberOf('member'), viewerOf('owner'))
    for (const [role, viewer, why] of [
      ['owner', viewerOf('owner', { owners: 1 }), LAST_OWNER],
      ['owner', viewerOf('admin'), OWNERS_ONLY],
      ['admin', viewerOf('admin', { userId: 'usr_bob' }), /^That is you/],
      ['member', viewerOf('member'), MANAGERS_ONLY],
    ] as const) {
      change(memberOf(role), viewer)
      assert.match(button('Remove Bob').getAttribute('aria-description') ?? '', new RegExp(why))
      press('Remove Bob')
      assert.ok(!isThere('dialog'))
    }
    change(memberOf('member'))
    assert.equal(button('Remove Bob').getAttribute('aria-description'), null)
  })
})

describe('a change of a member’s role', () => {
  test("before a member's role is changed, the dialog says what the new role allows, for each role", async () => {
    renderRow(memberOf('member'), viewerOf('owner'))
    for (const [role, title, allows] of [
      ['admin', 'Make Bob an admin?', /Admins also change members/],
      ['owner', 'Make Bob an owner?', /Owners do everything admins do/],
    ] as const) {
      write('Role of Bob', role)
      await screen.findByRole('dialog', { name: title })
      assert.ok(inDialog().getByText(allows))
      pressInDialog('Cancel')
      await waitFor(() => assert.ok(!isThere('dialog')))
    }
  })

  test("“Cancel” and Escape keep the member's role and send nothing", async () => {
    const { bodies } = renderRow(memberOf('member'), viewerOf('owner'))
    await askFor('admin')
    pressInDialog('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await askFor('owner')
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.equal(field('Role of Bob').value, 'member')
    await untilSent()
    assert.deepEqual(bodies(), [])
  })

  test("after a member's role was changed, the members and the rights of the user are read again", async () => {
    for (const key of [queryKeys.members.all, queryKeys.me]) queryClient.setQueryData([...key, 'test'], [])
    const { bodies } = renderRow(memberOf('member'), viewerOf('owner'))
    await askFor('admin')
    pressInDialog('Change role')
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.deepEqual(bodies(), [{ memberId: 'mbr_bob', role: 'admin' }])
    for (const key of [queryKeys.members.all, queryKeys.me])
      assert.equal(queryClient.getQueryState([...key, 'test'])?.isInvalidated, true, key[0])
  })

  test('pressing “Change role” twice sends one request', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(UPDATE_ROLE, null)
    show(<MemberRow member={memberOf('member')} viewer={viewerOf('owner')} />)
    await askFor('admin')
    pressInDialog('Change role')
    await isAsked()
    pressInDialog(/Change role/)
    await respond()
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.equal(bodies()?.length, 1)
  })

  test("a refused change of a member's role shows the request id, and the error is gone when another role is chosen", async () => {
    const { bodies } = renderRow(
      memberOf('member'),
      viewerOf('owner'),
      () => new Refusal(403, 'FORBIDDEN', 'You may not.'),
    )
    await askFor('admin')
    pressInDialog('Change role')
    await assertAlert(/req_test/)
    assert.equal(field('Role of Bob').value, 'member')
    pressInDialog('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await askFor('owner')
    assert.ok(!isThere('alert'))
    assert.equal(bodies()?.length, 1)
  })

  test("when another person changes a member's role meanwhile, the row shows the new role", () => {
    const { change } = renderRow(memberOf('member'), viewerOf('owner'))
    change(memberOf('admin'))
    assert.equal(field('Role of Bob').value, 'admin')
  })
})
