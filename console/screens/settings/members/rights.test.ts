import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Member, Role } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'
import { rolesToGive, type Viewer, roleChangeRefusal, manageRefusal, removalRefusal } from './rights.ts'

const viewerWith = (role: Role, owners = 2): Viewer => ({ userId: 'me', role, owners })
const memberWith = (role: Role, userId = 'other'): Member => ({
  id: `mem_${userId}`,
  userId,
  role,
  createdAt: '2026-01-01T00:00:00Z',
  user: { name: 'Bob', email: 'bob@example.test' },
})

describe('the rights to change members', () => {
  test('a member without admin rights may not change or remove any member, and the reason names the roles that may', () => {
    assert.equal(manageRefusal('member'), membersText.managers)
    for (const role of ['owner', 'admin', 'member'] as const) {
      assert.equal(roleChangeRefusal(viewerWith('member'), memberWith(role)), membersText.managers)
      assert.equal(removalRefusal(viewerWith('member'), memberWith(role)), membersText.managers)
    }
  })

  test('an admin may change admins and members but no owners, and cannot give anyone the role of owner', () => {
    assert.equal(manageRefusal('admin'), null)
    assert.equal(roleChangeRefusal(viewerWith('admin'), memberWith('admin')), null)
    assert.equal(removalRefusal(viewerWith('admin'), memberWith('member')), null)
    assert.equal(roleChangeRefusal(viewerWith('admin'), memberWith('owner')), membersText.ownersChangeOwners)
    assert.equal(removalRefusal(viewerWith('admin'), memberWith('owner')), membersText.ownersChangeOwners)
    assert.deepEqual(rolesToGive('admin'), ['admin', 'member'])
  })

  test('the last owner can be neither demoted nor removed', () => {
    assert.equal(roleChangeRefusal(viewerWith('owner', 1), memberWith('owner', 'me')), membersText.lastOwner)
    assert.equal(removalRefusal(viewerWith('owner', 1), memberWith('owner', 'me')), membersText.lastOwner)
    assert.equal(roleChangeRefusal(viewerWith('owner', 2), memberWith('owner', 'me')), null)
    assert.equal(removalRefusal(viewerWith('owner', 2), memberWith('owner')), null)
    assert.ok(rolesToGive('owner').includes('owner'))
  })

  test('a person cannot remove themselves from an organization, and the reason says to leave it instead', () => {
    assert.equal(removalRefusal(viewerWith('owner', 2), memberWith('owner', 'me')), membersText.leaveInstead)
    assert.equal(removalRefusal(viewerWith('admin'), memberWith('admin', 'me')), membersText.leaveInstead)
  })
})
