import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { TeamCallsWithRoles, Team } from './types.ts'

const [ADA, BEN, CY] = [userId('a'), userId('b'), userId('c')]
const WEEK_MS = 7 * 86_400_000
const ORIGIN = 'https://app.example.test'
const ROLES = ['salesLead']
const NO_TEAM = { code: 'not_found', message: 'There is no such team.' }
const NO_INVITE = {
  code: 'not_found',
  message: 'This invitation is not valid. Ask for a new one.',
}
const NOT_SIGNED_IN = { code: 'unauthorized', message: 'Sign in first.' }
const OWNERS_ONLY = { code: 'forbidden', message: 'Only owners of the team may do this.' }
const RESET = 'The object was reset.'
const invalid = (field: string, problem: string) => ({
  code: 'invalid_request',
  message: `${field}: ${problem}`,
  field,
})
const tooMany = (max: number) => ({
  code: 'conflict',
  message: `A person can be in at most ${max} teams.`,
})

type Asked<Kind extends keyof TeamCallsWithRoles> = Omit<TeamCallsWithRoles[Kind]['ask'], 'roles'>

describe('the teams of people', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let ada: string
  let ben: string
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(() => open())
  after(() => ObjectWorld.uninstall())

  async function open(env: Record<string, unknown> = {}): Promise<void> {
    ObjectWorld.install()
    world = new ObjectWorld(modules, env)
    await world.release('r1', { name: 'App', collections: {}, migrations: [] })
    ada = await world.person(ADA)
    ben = await world.person(BEN)
  }
  const call = <Kind extends keyof TeamCallsWithRoles>(
    kind: Kind,
    ask: Asked<Kind>,
    roles: unknown = ROLES,
  ) => world.run(world.tier().team(kind, { ...ask, roles } as TeamCallsWithRoles[Kind]['ask']))
  async function valueOf<Kind extends keyof TeamCallsWithRoles>(
    kind: Kind,
    ask: Asked<Kind>,
  ): Promise<TeamCallsWithRoles[Kind]['answer']> {
    const answer = await call(kind, ask)
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  async function errorOf<Kind extends keyof TeamCallsWithRoles>(
    kind: Kind,
    ask: Asked<Kind>,
    roles?: unknown,
  ) {
    const answer = await call(kind, ask, roles)
    return answer.ok ? null : answer.error
  }
  const create = (session: string, name = 'Gardeners') => valueOf('create', { session, name })
  const invite = async (id: string, email: string | null = null, role: unknown = 'member') => {
    const made = await valueOf('invite', { session: ada, id, email, role, origin: ORIGIN })
    return { ...made, token: new URL(made.url).searchParams.get('invite') ?? '' }
  }
  const teamsOf = async (session: string) => (await valueOf('list', { session })).map(({ name }) => name)
  const reserved = (person: string) => world.run(world.stub(`data:${person}`).memberships('list', null))
  const membersOf = async (id: string) =>
    (await valueOf('get', { session: ada, id })).members.map(({ userId: user, role }) => [user, role])
  /** Makes calls of `kind` to the objects `of` fail before they change anything. */
  const interrupt = (of: string, kind: string) => {
    world.before = (object, _method, given) => {
      if (object.startsWith(of) && given === kind) throw new Error(RESET)
    }
  }

  describe('making and reading', () => {
    test('the person who creates a team is its owner, and sees its members, its roles and no invitations', async () => {
      const team = await create(ada, '  Gardeners ')
      const { createdAt } = team
      const expected: Team = {
        id: team.id,
        name: 'Gardeners',
        role: 'owner',
        members: 1,
        createdAt,
      }
      assert.match(team.id, /^t_[a-z0-9]{26}$/)
      assert.deepEqual(team, expected)
      assert.deepEqual(await valueOf('get', { session: ada, id: team.id }), {
        team: expected,
        members: [{ userId: ADA, name: 'A person', role: 'owner', joinedAt: createdAt }],
        invites: [],
        roles: ['owner', 'member', 'salesLead'],
      })
      assert.deepEqual(await valueOf('view', { session: ada, id: team.id }), expected)
    })

    test('the teams of a person are sorted by name, whatever the order in which they were created', async () => {
      for (const name of ['plants', 'Élan', 'apples', 'Zebras', 'eggs']) await create(ada, name)
      assert.deepEqual(await teamsOf(ada), ['apples', 'eggs', 'Élan', 'plants', 'Zebras'])
      assert.deepEqual(await teamsOf(ben), [])
    })

    test('a team needs a name of 1 to 100 characters', async () => {
      for (const name of ['', '   ', 'n'.repeat(101), null, 5, ['x']])
        assert.deepEqual(
          await errorOf('create', { session: ada, name }),
          invalid('name', 'must have 1 to 100 characters'),
        )
      assert.deepEqual([await teamsOf(ada), await reserved(ADA)], [[], []])
      await create(ada, 'n'.repeat(100))
    })

    test('without a session every call about teams is refused, and no Durable Object of a team is called', async () => {
      const { id } = await create(ada)
      const { token } = await invite(id)
      world.calls.length = 0
      for (const session of ['', 'x', `${ADA}.${'0'.repeat(16)}.${'0'.repeat(64)}`])
        for (const [kind, more] of [
          ['create', { name: 'x' }],
          ['list', {}],
          ['get', { id }],
          ['view', { id }],
          ['rename', { id, name: 'x' }],
          ['invite', { id, email: null, role: 'member', origin: ORIGIN }],
          ['revokeInvite', { id, invite: 'x' }],
          ['accept', { token }],
          ['setRole', { id, user: ADA, role: 'member' }],
          ['remove', { id, user: ADA }],
          ['leave', { id }],
          ['delete', { id }],
        ] as const)
          assert.deepEqual(await errorOf(kind, { session, ...more }), NOT_SIGNED_IN, kind)
      assert.deepEqual(
        world.calls.filter(({ object }) => object.startsWith('data:t_')),
        [],
      )
    })

    test('a malformed or unknown team id is reported as a missing team, and stores nothing', async () => {
      for (const id of ['', 'x', ADA, 'app', `${teamId('z')} `, 5, null]) {
        const ask = { session: ada, id: id as string }
        assert.deepEqual(await errorOf('get', ask), NO_TEAM)
        assert.deepEqual(await errorOf('rename', { ...ask, name: 'x' }), NO_TEAM)
        assert.deepEqual(await errorOf('delete', ask), NO_TEAM)
        assert.deepEqual([await valueOf('view', ask), await valueOf('find', ask)], [null, null])
      }
      const guessed = { session: ada, id: teamId('z') }
      assert.deepEqual(await errorOf('get', guessed), NO_TEAM)
      assert.deepEqual([await valueOf('view', guessed), await valueOf('find', guessed)], [null, null])
      assert.ok(!world.tablesOf(`data:${teamId('z')}`).includes('_team'))
    })

    test('a person who is not a member gets the same error as for a team that does not exist', async () => {
      const { id } = await create(ada)
      for (const kind of ['get', 'leave', 'delete'] as const)
        assert.deepEqual(await errorOf(kind, { session: ben, id }), NO_TEAM)
      assert.deepEqual(await errorOf('rename', { session: ben, id, name: 'x' }), NO_TEAM)
      assert.deepEqual(await errorOf('remove', { session: ben, id, user: ADA }), NO_TEAM)
      assert.equal(await valueOf('view', { session: ben, id }), null)
    })

    test('server code can read a team with the names of its members without a session', async () => {
      const { id, createdAt } = await create(ada)
      const people = [{ userId: ADA, name: 'A person', role: 'owner', joinedAt: createdAt }]
      assert.deepEqual(await valueOf('find', { id }), {
        id,
        name: 'Gardeners',
        createdAt,
        members: 1,
        people,
      })
    })

    test('when a person creates many teams at once, only the allowed number is created', async () => {
      await open({ TEAM_MAX_PER_USER: '2' })
      const answers = await Promise.all(
        [1, 2, 3, 4].map((n) => call('create', { session: ada, name: `${n}` })),
      )
      assert.deepEqual(
        answers.flatMap((answer) => (answer.ok ? [] : [answer.error])),
        [tooMany(2), tooMany(2)],
      )
      assert.equal((await teamsOf(ada)).length, 2)
    })

    test('a team whose creation was interrupted is not listed, and counts toward the limit for only a minute', async () => {
      await open({ TEAM_MAX_PER_USER: '1' })
      interrupt('data:t_', 'create')
      await assert.rejects(call('create', { session: ada, name: 'Lost' }), { message: RESET })
      world.before = () => {}
      assert.deepEqual(await errorOf('create', { session: ada, name: 'Early' }), tooMany(1))
      assert.deepEqual(await teamsOf(ada), [])
      mock.timers.tick(60_001)
      await create(ada, 'Late')
      assert.deepEqual(await teamsOf(ada), ['Late'])
    })

    test('while the app is being moved to another cloud account, no team is created, and no membership is reserved', async () => {
      await world.run(world.stub('dir').hold(true))
      const message = 'The app is being moved and accepts no changes right now. Try again in a few minutes.'
      assert.deepEqual(await errorOf('create', { session: ada, name: 'x' }), { code: 'unavailable', message })
      assert.deepEqual(await reserved(ADA), [])
    })
  })

  describe('inviting and joining', () => {
    test('a team invitation is a link to the teams page, and only owners see it in the list, without its secret', async () => {
      const { id } = await create(ada)
      const { id: invitation, url, token, expiresAt } = await invite(id, ' Ben@Example.TEST ', 'salesLead')
      assert.equal(url, `${ORIGIN}/teams?invite=${token}`)
      assert.match(token, new RegExp(`^${id}\\.[a-f0-9]{64}$`))
      const createdAt = new Date(Date.parse(expiresAt) - WEEK_MS).toISOString()
      const listed = {
        id: invitation,
        email: 'ben@example.test',
        role: 'salesLead',
        createdAt,
        expiresAt,
      }
      assert.deepEqual((await valueOf('get', { session: ada, id })).invites, [listed])
      await valueOf('accept', { session: ben, token: (await invite(id)).token })
      assert.deepEqual((await valueOf('get', { session: ben, id })).invites, [])
    })

    test('a team invitation with an invalid address, role or origin is refused with an error that names the field', async () => {
      const { id } = await create(ada)
      const good = { session: ada, id, email: null, role: 'member', origin: ORIGIN }
      for (const email of ['', 'ben', 5, {}])
        assert.deepEqual(
          await errorOf('invite', { ...good, email }),
          invalid('email', 'must be an email address'),
        )
      for (const role of ['admin', '', 'Owner', null, 5, ['member']])
        assert.deepEqual(
          await errorOf('invite', { ...good, role }),
          invalid('role', 'must be one of owner, member, salesLead'),
        )
      for (const origin of ['', 'app.example.test', `${ORIGIN}/`, 'javascript:1'])
        assert.deepEqual(await errorOf('invite', { ...good, origin }), invalid('origin', 'must be an origin'))
      assert.deepEqual((await valueOf('get', { session: ada, id })).invites, [])
    })

    test('a team has the first five declared roles, not counting invalid names, duplicates and the roles that every team has', async () => {
      const { id } = await create(ada)
      const invalidRoles = ['1st', 'b-c', '', null, 5, 'x'.repeat(200)]
      const declared = ['owner', ...invalidRoles, 'a', 'd', 'a', 'toString', 'x', 'y', 'z']
      const answer = await call('get', { session: ada, id }, declared)
      assert.deepEqual(answer.ok && answer.value.roles, ['owner', 'member', 'a', 'd', 'toString', 'x', 'y'])
    })

    test('team roles that are not declared as a list are ignored', async () => {
      const { id } = await create(ada)
      for (const roles of [null, 'salesLead', { length: 1, 0: 'x' }])
        assert.deepEqual(
          await errorOf('setRole', { session: ada, id, user: ADA, role: 'salesLead' }, roles),
          invalid('role', 'must be one of owner, member'),
        )
    })

    test('a mail is sent only for a team invitation with an address, and only while the app can send mail', async () => {
      const queued = () => world.calls.filter(({ method }) => method === 'mail').map(({ kind }) => kind)
      await invite((await create(ada)).id, 'ben@example.test')
      assert.deepEqual(queued(), [])
      await open({ EMAIL_MAX_PER_HOUR: '10' })
      const { id } = await create(ada)
      await invite(id)
      assert.deepEqual(queued(), [])
      await invite(id, 'ben@example.test')
      assert.deepEqual(queued(), ['offer'])
    })

    test('accepting a team invitation adds the person with the invited role, and an invitation works once', async () => {
      const { id, createdAt } = await create(ada)
      const { token } = await invite(id, null, 'salesLead')
      const joined = await valueOf('accept', { session: ben, token })
      assert.deepEqual(joined, { id, name: 'Gardeners', role: 'salesLead', members: 2, createdAt })
      assert.deepEqual(await teamsOf(ben), ['Gardeners'])
      assert.deepEqual(await errorOf('accept', { session: await world.person(CY), token }), NO_INVITE)
    })

    test('a person who accepts a team invitation twice joins once, even when both requests arrive at the same moment', async () => {
      const { id } = await create(ada)
      const { token } = await invite(id)
      const ask = { session: ben, token }
      const answers = await Promise.all([call('accept', ask), call('accept', ask)])
      assert.deepEqual(
        answers.map(({ ok }) => ok),
        [true, true],
      )
      assert.equal((await valueOf('accept', ask)).members, 2)
      assert.deepEqual(await membersOf(id), [
        [ADA, 'owner'],
        [BEN, 'member'],
      ])
    })

    test('a team invitation token that is malformed, forged, expired or revoked adds no member and reserves no place', async () => {
      const { id } = await create(ada)
      const { id: invitation, token } = await invite(id)
      await valueOf('revokeInvite', { session: ada, id, invite: invitation })
      const old = (await invite(id)).token
      mock.timers.tick(WEEK_MS)
      const made = `.${'0'.repeat(64)}`
      for (const given of [token, old, `${id}${made}`, `${teamId('z')}${made}`, `${token}.x`, '', null, 5])
        assert.deepEqual(await errorOf('accept', { session: ben, token: given }), NO_INVITE)
      const reservations = world.calls.filter(
        ({ object, kind }) => object === `data:${BEN}` && kind === 'reserve',
      )
      assert.deepEqual([reservations, await reserved(BEN), await membersOf(id)], [[], [], [[ADA, 'owner']]])
    })

    test('a team invitation accepted by the wrong person adds no member, and stays valid for the invited person', async () => {
      const { id } = await create(ada)
      const { token } = await invite(id, `${BEN}@example.test`)
      const message = 'This invitation is for another email address.'
      const cy = await world.person(CY)
      assert.deepEqual(await errorOf('accept', { session: cy, token }), { code: 'forbidden', message })
      assert.deepEqual(await reserved(CY), [])
      assert.equal((await valueOf('accept', { session: ben, token })).members, 2)
    })

    test('a person who has reached the limit of teams must leave one before joining another', async () => {
      await open({ TEAM_MAX_PER_USER: '1' })
      const { id } = await create(ada)
      const { token } = await invite(id)
      const own = await create(ben, 'Own')
      assert.deepEqual(await errorOf('accept', { session: ben, token }), tooMany(1))
      await valueOf('delete', { session: ben, id: own.id })
      assert.equal((await valueOf('accept', { session: ben, token })).members, 2)
    })

    test("a full team refuses a new member, and the refusal does not count toward that person's team limit", async () => {
      await open({ TEAM_MAX_MEMBERS: '1', TEAM_MAX_PER_USER: '1' })
      const { id } = await create(ada)
      const { token } = await invite(id)
      const message = 'The team is full: it has at most 1 members.'
      assert.deepEqual(await errorOf('accept', { session: ben, token }), { code: 'conflict', message })
      await create(ben, 'Own')
    })

    test('accepting a team invitation can be repeated after an interruption', async () => {
      const { id } = await create(ada)
      const ask = { session: ben, token: (await invite(id)).token }
      interrupt('data:t_', 'accept')
      await assert.rejects(call('accept', ask), { message: RESET })
      world.before = () => {}
      assert.deepEqual(await teamsOf(ben), [])
      assert.equal((await valueOf('accept', ask)).members, 2)
    })
  })

  describe('changing and leaving', () => {
    /** A team of Ada, the owner, with the member Ben. */
    async function pair(): Promise<string> {
      const { id } = await create(ada)
      await valueOf('accept', { session: ben, token: (await invite(id)).token })
      return id
    }

    test('a member who is not an owner can leave the team and can change nothing else', async () => {
      const id = await pair()
      const as = { session: ben, id }
      assert.deepEqual(await errorOf('rename', { ...as, name: 'x' }), OWNERS_ONLY)
      assert.deepEqual(await errorOf('setRole', { ...as, user: BEN, role: 'owner' }), OWNERS_ONLY)
      assert.deepEqual(await errorOf('remove', { ...as, user: ADA }), OWNERS_ONLY)
      assert.deepEqual(await errorOf('delete', as), OWNERS_ONLY)
      const invitation = { ...as, email: null, role: 'member', origin: ORIGIN }
      assert.deepEqual(await errorOf('invite', invitation), OWNERS_ONLY)
      assert.deepEqual(await errorOf('revokeInvite', { ...as, invite: 'x' }), OWNERS_ONLY)
      await valueOf('leave', as)
      assert.deepEqual([await membersOf(id), await teamsOf(ben)], [[[ADA, 'owner']], []])
    })

    test('only members of a team can be given a role, and its last owner can neither give up ownership nor leave', async () => {
      const id = await pair()
      const as = { session: ada, id }
      const message = 'A team needs an owner: make another member an owner first, or remove the team.'
      const keeps = { code: 'conflict', message }
      assert.deepEqual(await errorOf('setRole', { ...as, user: ADA, role: 'member' }), keeps)
      assert.deepEqual(await errorOf('leave', as), keeps)
      const missing = { code: 'not_found', message: 'There is no such member.' }
      for (const user of [CY, '', 'x'.repeat(10_000), null])
        assert.deepEqual(await errorOf('setRole', { ...as, user: user as string, role: 'member' }), missing)
      await valueOf('setRole', { ...as, user: BEN, role: 'owner' })
      await valueOf('leave', as)
      assert.equal((await valueOf('view', { session: ben, id }))?.members, 1)
    })

    test('a person who is removed from a team can create another team at once, even if they had reached the limit of teams', async () => {
      await open({ TEAM_MAX_PER_USER: '1' })
      const id = await pair()
      await valueOf('remove', { session: ada, id, user: BEN })
      await create(ben, 'Own')
      assert.deepEqual(await teamsOf(ben), ['Own'])
    })

    test('a deleted team is not found by its members or by server code, and its invitations no longer work', async () => {
      const id = await pair()
      const { token } = await invite(id)
      assert.equal(await valueOf('delete', { session: ada, id }), null)
      assert.deepEqual(await errorOf('get', { session: ada, id }), NO_TEAM)
      assert.deepEqual(
        [await teamsOf(ada), await teamsOf(ben), await valueOf('find', { id })],
        [[], [], null],
      )
      assert.deepEqual(await errorOf('accept', { session: await world.person(CY), token }), NO_INVITE)
    })
  })
})
