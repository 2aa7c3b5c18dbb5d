import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { newTeamId, newUserId } from '../kernel/access/actor.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { formatInviteToken, parseInviteToken } from '../auth/invite-token.ts'
import { TeamList, teamListHandlers } from './list.ts'
import { membershipHandlers, Memberships } from './memberships.ts'
import { DAY_MS } from '../kernel/durations.ts'

const MINUTE_MS = 60_000

describe('the teams of a person, in the Durable Object of that person', () => {
  const membershipChange = (team: string, rev: number, isMember = true, isGone = false) => ({
    team,
    isMember,
    rev,
    isGone,
  })

  test('the reserved place of a person who is joining a team expires after a minute, and then the person can join another team', () => {
    const teams = new Memberships(memoryStorage())
    assert.equal(teams.reserve('t_a', 1, 0), true)
    assert.equal(teams.reserve('t_b', 1, MINUTE_MS - 1), false)
    assert.equal(teams.reserve('t_b', 1, MINUTE_MS), true)
  })

  test('reserving a place in the same team several times counts once toward the limit on teams per person', () => {
    const teams = new Memberships(memoryStorage())
    for (let n = 0; n < 3; n++) assert.equal(teams.reserve('t_a', 1, n), true)
    assert.deepEqual(teams.list(), ['t_a'])
  })

  test('releasing a reserved place in a team lets the person join another team, unless the reserved team was already joined', () => {
    const teams = new Memberships(memoryStorage())
    teams.release('t_a')
    teams.reserve('t_a', 1, 0)
    teams.release('t_a')
    assert.deepEqual([teams.list(), teams.allTeams()], [[], []])
    assert.equal(teams.reserve('t_b', 1, 1), true)
    teams.setMembership(membershipChange('t_b', 1))
    teams.release('t_b')
    assert.deepEqual(teams.list(), ['t_b'])
    assert.equal(teams.reserve('t_c', 1, 2), false)
  })

  test('a team that a person left is listed as a former team until the team is deleted', () => {
    const teams = new Memberships(memoryStorage())
    teams.setMembership(membershipChange('t_a', 1))
    teams.setMembership(membershipChange('t_a', 2, false))
    assert.deepEqual([teams.list(), teams.allTeams()], [[], ['t_a']])
    assert.equal(teams.reserve('t_b', 1, 0), true, 'its place is free')
    teams.setMembership(membershipChange('t_a', 3, false, true))
    assert.deepEqual(teams.allTeams(), ['t_b'])
  })

  test("the newest update of a person's team membership is kept, whatever the order of arrival", () => {
    const words = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 })
    fc.assert(
      fc.property(words, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (order, members) => {
        const teams = new Memberships(memoryStorage())
        for (const rev of order) teams.setMembership(membershipChange('t_a', rev, members[rev]))
        assert.deepEqual(teams.list(), members[5] === true ? ['t_a'] : [])
      }),
      { numRuns: 50 },
    )
  })

  test('moving an app to another cloud account copies the current and the former teams of a person', () => {
    const [from, to] = [new Memberships(memoryStorage()), new Memberships(memoryStorage())]
    assert.equal(from.dump(), null)
    from.setMembership(membershipChange('t_a', 4))
    from.setMembership(membershipChange('t_b', 2, false))
    to.restore(from.dump() ?? [])
    assert.deepEqual([to.list(), to.allTeams()], [['t_a'], ['t_a', 't_b']])
    to.setMembership(membershipChange('t_a', 1, false))
    assert.deepEqual(to.list(), [], 'in the new account a team counts its changes from 0 again')
  })

  test('no team membership is stored for a person who does not exist', () => {
    const storage = memoryStorage()
    const calls = membershipHandlers(storage, () => false)
    assert.equal(calls.reserve({ team: 't_a', max: 5 }), false)
    assert.equal(calls.told(membershipChange('t_a', 1)), false)
    calls.follow({ team: 't_a' })
    calls.release({ team: 't_a' })
    assert.deepEqual(
      [calls.list(null), calls.ever(null), calls.followed(null), calls.dump(null)],
      [[], [], [], null],
    )
    assert.deepEqual(storage.sql.exec('select name from sqlite_master').toArray(), [])
  })

  test('a team to which a person opens two sockets is listed once among the teams with sockets of that person', () => {
    const calls = membershipHandlers(memoryStorage(), () => true)
    for (const team of ['t_b', 't_a', 't_b']) calls.follow({ team })
    assert.deepEqual(calls.followed(null).toSorted(), ['t_a', 't_b'])
  })
})

describe('the list of teams in the directory', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
  const team = (id: string, ms = 0) => ({ id, name: id.toUpperCase(), createdAt: at(ms), createdBy: 'u_ada' })
  const teamCopy = (id: string, rev: number, more: object = {}) => ({
    ...team(id),
    members: 1,
    invites: [],
    rev,
    ...more,
  })
  const ids = (teams: TeamList) => teams.newest(10, at(0)).map(({ id }) => id)

  test('the id of a team is known from its reservation on, but the team is listed only after it has sent its own data', () => {
    const teams = new TeamList(memoryStorage())
    teams.reserve(team('t_a'))
    assert.deepEqual([teams.known('t_a'), ids(teams)], [true, []])
    teams.apply(teamCopy('t_a', 0, { members: 3 }))
    const [listed] = teams.newest(10, at(0))
    assert.deepEqual(
      { ...listed },
      { id: 't_a', name: 'T_A', members: 3, createdAt: at(0), createdBy: 'u_ada', pendingInvites: 0 },
    )
  })

  test('the id of a team that was reserved but never created is deleted after a day, and a created team stays listed', () => {
    const teams = new TeamList(memoryStorage())
    teams.reserve(team('t_cut'))
    teams.reserve(team('t_made'))
    teams.apply(teamCopy('t_made', 1))
    teams.reserve(team('t_new', DAY_MS))
    assert.equal(teams.known('t_cut'), true)
    teams.reserve(team('t_later', DAY_MS + 1))
    assert.deepEqual(teams.ids(), ['t_later', 't_made', 't_new'])
  })

  test('the list of teams ignores an update of a team that is out of date or that comes after the team was removed', () => {
    const teams = new TeamList(memoryStorage())
    teams.reserve(team('t_a'))
    teams.apply(teamCopy('t_a', 2, { name: 'Second' }))
    teams.apply(teamCopy('t_a', 1, { name: 'First' }))
    teams.apply(teamCopy('t_a', 2, { name: 'Again' }))
    assert.equal(teams.newest(1, at(0))[0]?.name, 'Second')
    teams.remove('t_a')
    teams.apply(teamCopy('t_a', 3))
    assert.deepEqual([teams.known('t_a'), ids(teams)], [false, []])
  })

  test('expired invitations of a team are not counted in the list of teams, and a newer update replaces all invitations', () => {
    const teams = new TeamList(memoryStorage())
    teams.reserve(team('t_a'))
    const invites = [
      { id: 'i1', email: 'ada@example.test', expiresAt: at(1000) },
      { id: 'i2', email: null, expiresAt: at(3000) },
    ]
    teams.apply(teamCopy('t_a', 1, { invites }))
    const pending = (ms: number) => teams.newest(1, at(ms))[0]?.pendingInvites
    assert.deepEqual([pending(0), pending(1000), pending(3000)], [2, 1, 0])
    assert.deepEqual([teams.inviting('ada@example.test'), teams.inviting('ben@example.test')], [['t_a'], []])
    teams.apply(teamCopy('t_a', 2))
    assert.deepEqual([pending(0), teams.inviting('ada@example.test')], [0, []])
  })

  test('the newest teams are listed first, up to the requested number', () => {
    const teams = new TeamList(memoryStorage())
    for (const [id, ms] of [
      ['t_b', 2],
      ['t_a', 1],
      ['t_c', 3],
    ] as const) {
      teams.reserve(team(id, ms))
      teams.apply(teamCopy(id, 1))
    }
    assert.deepEqual(
      teams.newest(2, at(0)).map(({ id }) => id),
      ['t_c', 't_b'],
    )
  })

  test('no team can be created while the app is being moved to another cloud account', () => {
    let isHeld = true
    const calls = teamListHandlers(memoryStorage(), () => isHeld)
    assert.deepEqual([calls.reserve(team('t_a')), calls.known({ id: 't_a' })], [false, false])
    isHeld = false
    assert.deepEqual([calls.reserve(team('t_a')), calls.known({ id: 't_a' })], [true, true])
  })
})

describe('the token of an invitation', () => {
  const secret = 'a1'.repeat(32)

  test('formatting a team invitation token and parsing it returns the same parts', () => {
    const token = { team: newTeamId(), secret }
    assert.deepEqual(parseInviteToken(formatInviteToken(token)), token)
  })

  test('malformed text is not parsed as an invitation token', () => {
    const team = newTeamId()
    for (const text of [
      null,
      5,
      {},
      '',
      team,
      `${team}.`,
      `${team}.${secret}.`,
      `${team}.${secret}x`,
      `${newUserId()}.${secret}`,
      `${team}.${secret.toUpperCase()}`,
    ])
      assert.equal(parseInviteToken(text), null)
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(parseInviteToken(text), null)
      }),
    )
  })
})
