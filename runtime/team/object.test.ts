import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { TeamObjectCalls } from './object.ts'

const MANIFEST: Manifest = { name: 'Crews', migrations: [], collections: {} }
const HASH = 'release-1'
const [ADA, BOB, CY] = [userId('a'), userId('b'), userId('c')]
const TEAM = teamId('t')
const NAME = `data:${TEAM}`

describe('the Durable Object of a team', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
    for (const id of [ADA, BOB, CY]) await world.person(id)
    await create()
  })
  after(() => ObjectWorld.uninstall())

  const ask = <Kind extends keyof TeamObjectCalls>(
    kind: Kind,
    given: TeamObjectCalls[Kind]['ask'],
    at = world,
  ) => at.run(at.stub(NAME).team(kind, given))
  const codeOf = (answer: { ok: boolean; error?: { code: string } }) =>
    answer.ok ? 'ok' : answer.error?.code
  const create = async () => {
    const team = { id: TEAM, name: 'Crew', createdAt: new Date().toISOString(), createdBy: ADA }
    await world.run(world.stub('dir').teams('reserve', team))
    await ask('create', team)
    await world.settle()
  }
  const guest = (user: string) => ({ userId: user, email: `${user}@example.test`, emailVerified: true })
  const invite = async (role = 'member', at = world) => {
    const answer = await ask('invite', { by: ADA, email: null, role, days: 1 }, at)
    assert.ok(answer.ok)
    return answer.value
  }
  const join = async (user: string, role = 'member', at = world) => {
    const { secret } = await invite(role, at)
    const answer = await ask('accept', { guest: guest(user), secret, maxMembers: 100 }, at)
    assert.equal(codeOf(answer), 'ok')
  }
  const teamsOf = (user: string, at = world) => at.run(at.stub(`data:${user}`).memberships('list', null))
  const listed = async (at = world) => (await at.run(at.stub('dir').teams('newest', { limit: 10 })))[0]
  const fail = (object: string, method: string) => {
    world.before = (...called) => {
      if (called[0] === object && called[1] === method) throw new Error('overloaded')
    }
  }

  test('for a team, a person who is not a member gets the same errors as for a team that does not exist', async () => {
    const calls: Partial<{ [Kind in keyof TeamObjectCalls]: TeamObjectCalls[Kind]['ask'] }> = {
      details: { by: CY },
      rename: { by: CY, name: 'Mine' },
      invite: { by: CY, email: null, role: 'owner', days: 1 },
      revoke: { by: CY, invite: 'x' },
      setRole: { by: CY, user: CY, role: 'owner' },
      remove: { by: CY, user: ADA },
      end: { by: CY },
      check: { by: CY, secret: 'guessed' },
      accept: { guest: guest(CY), secret: 'guessed', maxMembers: 9 },
    }
    const none = `data:${teamId('x')}`
    for (const [kind, given] of Object.entries(calls)) {
      const name = kind as keyof TeamObjectCalls
      const here = await world.run(world.stub(NAME).team(name, given as never))
      const nowhere = await world.run(world.stub(none).team(name, given as never))
      assert.deepEqual(here, nowhere, kind)
      assert.equal(codeOf(here), 'not_found', kind)
    }
    assert.deepEqual(await ask('view', { by: CY }), { ok: true, value: null })
    assert.equal((await listed())?.name, 'Crew')
  })

  test('a plain member may only read and leave: every change of the team is forbidden and changes nothing', async () => {
    await join(BOB)
    const { id } = await invite()
    const calls = [
      ['rename', { by: BOB, name: 'Mine' }],
      ['invite', { by: BOB, email: null, role: 'owner', days: 1 }],
      ['revoke', { by: BOB, invite: id }],
      ['setRole', { by: BOB, user: BOB, role: 'owner' }],
      ['remove', { by: BOB, user: ADA }],
      ['end', { by: BOB }],
    ] as const
    const before = await ask('details', { by: ADA })
    for (const [kind, given] of calls)
      assert.equal(codeOf(await world.run(world.stub(NAME).team(kind, given as never))), 'forbidden', kind)
    assert.deepEqual(await ask('details', { by: ADA }), before)
    assert.equal(codeOf(await ask('remove', { by: BOB, user: BOB })), 'ok')
  })

  test('only owners of a team see its open invitations', async () => {
    await join(BOB)
    await invite()
    const [toOwner, toMember] = [await ask('details', { by: ADA }), await ask('details', { by: BOB })]
    assert.ok(toOwner.ok && toMember.ok)
    assert.deepEqual([toOwner.value.invites.length, toMember.value.invites.length], [1, 0])
  })

  test("leaving a team returns after the person's Durable Object is updated, so that the person can join another team at once", async () => {
    await join(BOB)
    await world.settle()
    assert.deepEqual(await teamsOf(BOB), [TEAM])
    await world.run(world.stub(NAME).team('remove', { by: BOB, user: BOB }))
    assert.deepEqual(await teamsOf(BOB), [])
  })

  test("when a removed member's Durable Object cannot be reached, the removal succeeds and the alarm notifies the object later", async () => {
    await join(BOB)
    await world.settle()
    fail(`data:${BOB}`, 'memberships')
    assert.equal(codeOf(await ask('remove', { by: ADA, user: BOB })), 'ok')
    await world.settle()
    world.restart(NAME)
    world.before = () => {}
    assert.deepEqual(await teamsOf(BOB), [TEAM])
    await world.alarm(NAME)
    assert.deepEqual(await teamsOf(BOB), [])
    assert.equal((await listed())?.members, 1)
  })

  test("when the app's central Durable Object cannot be reached, the alarm of a team sends the new name of the team later", async () => {
    fail('dir', 'teams')
    assert.equal(codeOf(await ask('rename', { by: ADA, name: 'New' })), 'ok')
    await world.settle()
    world.restart(NAME)
    world.before = () => {}
    assert.equal((await listed())?.name, 'Crew')
    await world.alarm(NAME)
    assert.equal((await listed())?.name, 'New')
  })

  test("changes of a team within 50 ms are sent to the app's central Durable Object in one call", async () => {
    world.calls.length = 0
    for (const name of ['One', 'Two', 'Three']) await ask('rename', { by: ADA, name })
    await world.settle()
    const sent = world.calls.filter(({ object, kind }) => object === 'dir' && kind === 'apply')
    assert.equal(sent.length, 1)
    assert.equal((await listed())?.name, 'Three')
  })

  test('a person who is erased while joining a team does not become a member', async () => {
    const ghost = userId('g')
    await join(ghost)
    await world.settle()
    const found = await ask('find', null)
    assert.ok(found.ok)
    assert.deepEqual(
      found.value?.members.map(({ user }) => user),
      [ADA],
    )
    assert.equal((await listed())?.members, 1)
  })

  test('ending a team with 25 members removes the team from the Durable Object of each member, and deletes the tables of the team', async () => {
    const members = Array.from({ length: 25 }, (_, n) => `u_${String(n).padStart(26, 'm')}`)
    for (const id of members) {
      await world.person(id)
      await join(id)
    }
    await world.settle()
    assert.deepEqual(await teamsOf(members[24] ?? ''), [TEAM])
    assert.equal(codeOf(await ask('end', { by: ADA })), 'ok')
    for (const id of [ADA, ...members]) assert.deepEqual(await teamsOf(id), [], id)
    assert.equal(await listed(), undefined)
    assert.deepEqual(
      world.tablesOf(NAME).filter((table) => table.startsWith('_m') || table === '_team'),
      [],
    )
    assert.equal(codeOf(await ask('details', { by: ADA })), 'not_found')
  })

  test('when ending a team fails midway, the next alarm completes it, and until then the team is reported as not found', async () => {
    fail('dir', 'dirForget')
    assert.equal(codeOf(await ask('end', { by: ADA })), 'ok')
    await world.settle()
    world.restart(NAME)
    assert.deepEqual(await ask('view', { by: ADA }), { ok: true, value: null })
    assert.equal(codeOf(await ask('rename', { by: ADA, name: 'Again' })), 'not_found')
    assert.ok(world.tablesOf(NAME).includes('_team'))
    world.before = () => {}
    const logged = mock.method(console, 'error', () => {})
    await world.alarm(NAME)
    assert.ok(!world.tablesOf(NAME).includes('_team'))
    assert.deepEqual(
      logged.mock.calls.map(({ arguments: [line] }) => line as string),
      [],
    )
  })

  test('while the deletion of a team is incomplete, a repeated call to create it fails and does not restore it', async () => {
    fail('dir', 'dirForget')
    await ask('end', { by: ADA })
    const team = { id: TEAM, name: 'Crew', createdAt: new Date().toISOString(), createdBy: ADA }
    assert.equal(codeOf(await ask('create', team)), 'not_found')
    assert.deepEqual(await teamsOf(ADA), [])
  })

  test("changing a member's role closes that member's sockets to the team, and no other socket", async () => {
    await join(BOB)
    await world.run(world.stub(NAME).prepare(HASH, MANIFEST))
    const [hers, his] = await Promise.all(
      [ADA, BOB].map((id) =>
        world.socket(NAME, '/?data=', { userId: id, role: 'member' }, { 'slipway-manifest': HASH }),
      ),
    )
    await ask('setRole', { by: ADA, user: BOB, role: 'owner' })
    assert.deepEqual([hers?.closed, his?.closed?.code], [null, 4001])
    await ask('end', { by: BOB })
    assert.equal(hers?.closed?.code, 4001)
  })

  test('while an app is being moved to another cloud account, a team can be read but not changed', async () => {
    const { secret } = await invite()
    await world.run(world.stub(NAME).hold(true))
    const changes = [
      ['rename', { by: ADA, name: 'New' }],
      ['accept', { guest: guest(BOB), secret, maxMembers: 9 }],
      ['claim', { secret, email: 'bob@example.test' }],
      ['remove', { by: ADA, user: ADA }],
      ['end', { by: ADA }],
    ] as const
    for (const [kind, given] of changes)
      assert.equal(codeOf(await world.run(world.stub(NAME).team(kind, given as never))), 'unavailable', kind)
    const view = await ask('view', { by: ADA })
    assert.ok(view.ok)
    assert.equal(view.value?.name, 'Crew')
    assert.deepEqual(await ask('admits', { secret, email: 'bob@example.test' }), { ok: true, value: true })
  })

  test('after an app was moved to another cloud account, leaving a team also updates the Durable Object of the person', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await ask('rename', { by: ADA, name })
    await join(BOB)
    await world.settle()
    const there = new ObjectWorld(modules)
    await there.release(HASH, MANIFEST)
    for (const name of [`data:${BOB}`, `data:${ADA}`, NAME]) {
      const head = await world.run(world.stub(name).head())
      if (name === NAME && head.team) await there.run(there.stub('dir').teams('take', head.team))
      // Copy each object twice, because a move to another account that was interrupted repeats its last step.
      for (let times = 0; times < 2; times++)
        await there.run(there.stub(name).takeHead(head, { hash: HASH, manifest: MANIFEST }))
    }
    await there.settle()
    assert.deepEqual(await teamsOf(BOB, there), [TEAM])
    assert.equal(codeOf(await ask('remove', { by: BOB, user: BOB }, there)), 'ok')
    assert.deepEqual(await teamsOf(BOB, there), [])
    assert.deepEqual(await there.run(there.stub(`data:${BOB}`).memberships('ever', null)), [TEAM])
  })

  test('a team invitation is not found from its expiry time on, and an expired or revoked one cannot be revoked', async () => {
    const { id, secret, expiresAt } = await invite()
    mock.timers.tick(Date.parse(expiresAt) - Date.now() - 1)
    assert.equal(codeOf(await ask('check', { by: BOB, secret })), 'ok')
    await world.settle()
    assert.equal(codeOf(await ask('check', { by: BOB, secret })), 'not_found')
    assert.equal(codeOf(await ask('revoke', { by: ADA, invite: id })), 'not_found')
    const open = await invite()
    assert.equal(codeOf(await ask('revoke', { by: ADA, invite: open.id })), 'ok')
    assert.equal(codeOf(await ask('revoke', { by: ADA, invite: open.id })), 'not_found')
  })
})
