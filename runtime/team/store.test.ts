import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { TeamList } from './list.ts'
import { Memberships } from './memberships.ts'
import { TeamStore } from './store.ts'

const AT = '2026-11-24T10:00:00.000Z'
const LATER = '2026-11-25T10:00:00.000Z'
const TEAM = { id: 't_red', name: 'Red', createdAt: AT, createdBy: 'u_ada' }

const guestOf = (userId: string, email = `${userId}@example.test`, emailVerified = true) => ({
  userId,
  email,
  emailVerified,
})

function createTeam(...members: string[]) {
  const storage = memoryStorage()
  const team = new TeamStore(storage)
  team.create(TEAM)
  const invite = (id: string, more: object = {}) => {
    const fields = { email: null, role: 'member', created_at: AT, created_by: 'u_ada', expires_at: LATER }
    team.invite({ id, hash: `hash ${id}`, ...fields, ...more })
  }
  const accept = (id: string, who: ReturnType<typeof guestOf>, at = AT, max = 100) =>
    team.accept(`hash ${id}`, who, max, at)
  for (const [n, user] of members.entries()) {
    invite(user)
    accept(user, guestOf(user), `2026-11-24T10:0${n}:30.000Z`)
  }
  const roles = () => team.members().map(({ user, role }) => `${user} ${role}`)
  return { storage, team, invite, accept, roles }
}

describe('a team in its own Durable Object', () => {
  test('reading a team that does not exist stores nothing', () => {
    const storage = memoryStorage()
    const team = new TeamStore(storage)
    assert.deepEqual(
      [team.isThere, team.isEnding, team.member('u_ada'), team.members(), team.invites(AT), team.dump()],
      [false, false, null, [], [], null],
    )
    team.erase('u_ada', 'ada@example.test')
    assert.equal(team.invitesOf('u_ada', 'ada@example.test'), 0)
    assert.deepEqual([team.isOpen('x', AT), team.unsent(), team.moves()], [false, null, []])
    assert.throws(() => team.require(), { code: 'not_found' })
    assert.deepEqual(storage.sql.exec("select name from sqlite_master where type = 'table'").toArray(), [])
  })

  test('creating a team that exists keeps its name and its owner', () => {
    const { team, roles } = createTeam()
    team.create({ ...TEAM, name: 'Blue', createdBy: 'u_eve' })
    assert.deepEqual([team.require().name, roles()], ['Red', ['u_ada owner']])
  })

  test('a team invitation admits one person once, and accepting it again as that person changes nothing', () => {
    const { team, invite, accept, roles } = createTeam()
    invite('one', { role: 'editor' })
    accept('one', guestOf('u_bob'))
    accept('one', guestOf('u_bob'))
    assert.deepEqual(roles(), ['u_ada owner', 'u_bob editor'])
    assert.throws(() => accept('one', guestOf('u_cy')), { code: 'not_found' })
    assert.deepEqual(team.invites(AT), [])
  })

  test('an expired, revoked or invented team invitation admits no one', () => {
    const { team, invite, accept } = createTeam()
    invite('old')
    assert.throws(() => accept('old', guestOf('u_bob'), LATER), { code: 'not_found' })
    invite('taken back')
    assert.deepEqual([team.revoke('taken back', AT), team.revoke('taken back', AT)], [true, false])
    for (const id of ['taken back', 'made up'])
      assert.throws(() => accept(id, guestOf('u_bob')), { code: 'not_found' })
    assert.equal(team.members().length, 1)
  })

  test('a team invitation to an email address admits only the person who has confirmed that address', () => {
    const { team, invite, accept } = createTeam()
    invite('mail', { email: 'bob@example.test' })
    assert.throws(() => accept('mail', guestOf('u_eve', 'eve@example.test')), { code: 'forbidden' })
    assert.throws(() => accept('mail', guestOf('u_bob', 'bob@example.test', false)), { code: 'forbidden' })
    assert.equal(team.invites(AT).length, 1)
    accept('mail', guestOf('u_bob', 'bob@example.test'))
    assert.equal(team.members().length, 2)
  })

  test('of two invitations for the last place in a team, one is accepted and the other stays open', () => {
    const { team, invite, accept } = createTeam()
    invite('one')
    invite('two')
    accept('one', guestOf('u_bob'), AT, 2)
    assert.throws(() => accept('two', guestOf('u_cy'), AT, 2), { code: 'conflict' })
    assert.deepEqual([team.members().length, team.invites(AT).length], [2, 1])
  })

  test('a team has at most a hundred open invitations, and expired or used ones do not count', () => {
    const { invite } = createTeam()
    for (let n = 0; n < 100; n++) invite(`i${n}`)
    assert.throws(() => invite('more'), { code: 'conflict' })
    invite('tomorrow', { created_at: LATER, expires_at: '2026-11-26T10:00:00.000Z' })
  })

  test('one of two team owners can leave or become a plain member, but the last owner cannot', () => {
    const { team, roles } = createTeam('u_bob')
    assert.throws(() => team.remove('u_ada'), { code: 'conflict' })
    assert.throws(() => team.setRole('u_ada', 'member'), { code: 'conflict' })
    team.setRole('u_ada', 'owner')
    team.setRole('u_bob', 'owner')
    team.setRole('u_ada', 'member')
    assert.deepEqual(roles(), ['u_ada member', 'u_bob owner'])
    assert.throws(() => team.remove('u_bob'), { code: 'conflict' })
    assert.throws(() => team.remove('u_eve'), { code: 'not_found' })
    assert.throws(() => team.setRole('u_eve', 'owner'), { code: 'not_found' })
  })

  test('when a person stops being a team owner, their open invitations are revoked', () => {
    for (const part of [
      (team: TeamStore) => team.remove('u_bob'),
      (team: TeamStore) => team.setRole('u_bob', 'member'),
    ]) {
      const { team, invite } = createTeam('u_bob')
      team.setRole('u_bob', 'owner')
      invite('by bob', { created_by: 'u_bob' })
      invite('by ada')
      part(team)
      assert.deepEqual(
        team.invites(AT).map(({ id }) => id),
        ['by ada'],
      )
    }
  })

  test("when a team's only owner is erased, the member who joined first becomes the owner", () => {
    const { team, roles } = createTeam('u_bob', 'u_cy')
    team.erase('u_ada', null)
    assert.deepEqual([roles(), team.require().createdBy], [['u_bob owner', 'u_cy member'], null])
    const other = createTeam('u_bob', 'u_cy')
    other.team.setRole('u_cy', 'owner')
    other.team.erase('u_ada', null)
    assert.deepEqual(other.roles(), ['u_bob member', 'u_cy owner'])
  })

  test('erasing a person removes the team invitations made by the person or addressed to the person', () => {
    const { team, invite } = createTeam('u_bob')
    invite('by ada')
    invite('to ada', { email: 'ada@example.test', created_by: 'u_bob' })
    invite('other', { created_by: 'u_bob' })
    assert.equal(team.invitesOf('u_ada', 'ada@example.test'), 2)
    team.erase('u_ada', 'ada@example.test')
    assert.equal(team.invites(AT).length, 1)
    assert.equal(JSON.stringify(team.dump()).includes('ada'), false)
  })

  test('erasing the last member of a team ends the team and queues an update for the Durable Object of that member', () => {
    const { team } = createTeam()
    team.erase('u_ada', null)
    assert.deepEqual([team.isThere, team.isEnding, team.member('u_ada')], [false, true, null])
    assert.deepEqual(
      team.moves().map(({ user, isMember }) => [user, isMember]),
      [['u_ada', false]],
    )
  })

  test('acknowledging an older update of a team leaves its newer changes marked as unsent', () => {
    const { team } = createTeam('u_bob')
    const [, bob] = team.moves()
    team.remove('u_bob')
    if (bob !== undefined) team.markNotified(bob)
    assert.deepEqual(
      team.moves().map(({ user, isMember }) => [user, isMember]),
      [
        ['u_ada', true],
        ['u_bob', false],
      ],
    )
    const copy = team.unsent()
    assert.equal(copy?.members, 1)
    team.rename('Green')
    if (copy !== null) team.markSent(copy.rev)
    assert.equal(team.unsent()?.name, 'Green')
  })

  test("moving an app to another cloud account copies a team's members and open invitations, and repeating the copy changes nothing", () => {
    const { team, invite } = createTeam('u_bob')
    invite('open')
    const dump = team.dump()
    assert.ok(dump)
    const moved = new TeamStore(memoryStorage())
    moved.restore(dump)
    moved.restore(dump)
    assert.deepEqual(moved.dump(), dump)
    moved.accept('hash open', guestOf('u_cy'), 100, AT)
    assert.equal(moved.members().length, 3)
  })
})

describe('a team invitation that allows a new account', () => {
  const BOB = 'bob@example.test'
  const CY = 'cy@example.test'

  test('a used, revoked, expired or invented team invitation cannot be used to create an account', () => {
    const { team, invite, accept } = createTeam()
    for (const id of ['open', 'used', 'taken back']) invite(id)
    accept('used', guestOf('u_bob'))
    team.revoke('taken back', AT)
    const admits = (id: string, at = AT) => [
      team.admits(`hash ${id}`, CY, at),
      team.claim(`hash ${id}`, CY, at),
    ]
    for (const id of ['used', 'taken back', 'made up']) assert.deepEqual(admits(id), [false, false], id)
    assert.deepEqual(admits('open', LATER), [false, false], 'expired')
    assert.deepEqual(admits('open'), [true, true])
    team.end()
    assert.deepEqual(admits('open'), [false, false], 'the team is removed')
  })

  test('a team invitation to an email address can be used to create an account only with that address', () => {
    const { team, invite } = createTeam()
    invite('for bob', { email: BOB })
    assert.deepEqual(
      [BOB, CY].map((email) => team.claim('hash for bob', email, AT)),
      [true, false],
    )
  })

  test('once an address has claimed a team invitation, no other address can use it to create an account or to join', () => {
    const { team, invite, accept, roles } = createTeam()
    invite('open')
    assert.deepEqual([team.claim('hash open', BOB, AT), team.claim('hash open', BOB, AT)], [true, true])
    assert.deepEqual([team.admits('hash open', CY, AT), team.claim('hash open', CY, AT)], [false, false])
    assert.throws(() => accept('open', guestOf('u_cy', CY)), { code: 'not_found' })
    accept('open', guestOf('u_bob', BOB, false))
    assert.deepEqual(roles(), ['u_ada owner', 'u_bob member'])
  })

  test('erasing a person removes the team invitations that were claimed with their address', () => {
    const { team, invite } = createTeam()
    invite('open')
    invite('old', { email: CY, expires_at: AT })
    team.claim('hash open', BOB, AT)
    const addresses = () => team.unsent()?.invites.map(({ email }) => email)
    assert.deepEqual(addresses()?.toSorted(), [BOB, CY])
    assert.deepEqual([team.invitesOf('u_none', BOB), team.invitesOf('u_none', CY)], [1, 1])
    for (const email of [BOB, CY]) team.erase('u_none', email)
    assert.deepEqual(addresses(), [])
  })

  test('a team invitation that was stored before invitations could be claimed by an address can still be claimed', () => {
    const { storage, invite } = createTeam()
    invite('open')
    storage.sql.exec('alter table _invites drop column claimed_by')
    const team = new TeamStore(storage)
    assert.equal(team.claim('hash open', BOB, AT), true)
    assert.equal(team.admits('hash open', CY, AT), false)
  })
})

describe('the teams of a person', () => {
  const word = { team: 't_a', isMember: true, rev: 1, isGone: false }

  test('a person can be in a limited number of teams, counting the teams that the person is joining', () => {
    const teams = new Memberships(memoryStorage())
    assert.equal(teams.reserve('t_a', 2, 0), true)
    teams.setMembership(word)
    assert.equal(teams.reserve('t_b', 2, 0), true)
    assert.equal(teams.reserve('t_b', 2, 0), true, 'the same one is no other')
    assert.equal(teams.reserve('t_c', 2, 0), false)
    teams.release('t_b')
    assert.deepEqual([teams.list(), teams.allTeams()], [['t_a'], ['t_a']])
    assert.equal(teams.reserve('t_c', 2, 0), true)
    assert.equal(teams.reserve('t_d', 2, 61_000), true, 'a joining that was cut off keeps its place a minute')
  })

  test('an outdated team membership update is ignored, and a team that a person left stays listed as a former team', () => {
    const teams = new Memberships(memoryStorage())
    teams.setMembership({ ...word, isMember: false, rev: 5 })
    teams.setMembership(word)
    assert.deepEqual([teams.list(), teams.allTeams()], [[], ['t_a']])
    teams.setMembership({ ...word, rev: 6 })
    assert.deepEqual(teams.list(), ['t_a'])
    teams.setMembership({ ...word, isMember: false, rev: 7, isGone: true })
    assert.deepEqual(teams.allTeams(), [])
  })
})

describe('the list of teams', () => {
  const copy = {
    ...TEAM,
    members: 3,
    rev: 2,
    invites: [{ id: 'i', email: 'x@example.test', expiresAt: LATER }],
  }

  test('the list of teams has only teams with a reserved id, each with its newest data and its number of open invitations', () => {
    const list = new TeamList(memoryStorage())
    list.apply(copy)
    assert.deepEqual(list.ids(), [], 'what comes from a removed team is dropped')
    list.reserve(TEAM)
    assert.deepEqual([list.newest(10, AT), list.known(TEAM.id)], [[], true])
    list.apply(copy)
    list.apply({ ...copy, members: 9, rev: 1 })
    const listed = { ...TEAM, members: 3, pendingInvites: 1 }
    assert.deepEqual({ ...list.newest(10, AT)[0] }, listed)
    assert.equal(list.newest(10, LATER)[0]?.pendingInvites, 0)
    assert.deepEqual(list.inviting('x@example.test'), [TEAM.id])
    list.remove(TEAM.id)
    assert.deepEqual([list.newest(10, AT), list.inviting('x@example.test')], [[], []])
  })
})
