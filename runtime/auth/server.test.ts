import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { CAPABILITY_KEYS } from '../capabilities.ts'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { DAY_MS } from '../kernel/durations.ts'

const [ADA, BEN] = [userId('a'), userId('b')]
const ORIGIN = 'https://app.example.test'
/** How long a replaced session stays valid. */
const REPLACED_MS = 60_000
const NOT_SIGNED_IN = { name: 'ApiError', code: 'unauthorized', message: 'Sign in first.' }
const importServer = () =>
  importInWorkerd(async () => ({
    ...(await import('./server.ts')),
    ...(await import('../guard/server.ts')),
    ...(await import('../team/server.ts')),
    ...(await import('../video/server.ts')),
    assets: (await import('../assets/mount.ts')).mount.routes,
  }))

describe('people in the server code of an app', () => {
  let modules: ObjectModules
  let server: Awaited<ReturnType<typeof importServer>>
  let world: ObjectWorld
  let ada: string
  before(async () => {
    modules = await importObjects()
    server = await importServer()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules, {
      GUARD_LIMITS: JSON.stringify([{ name: 'posts', per: 'user' }]),
      GUARD_LIMIT_0: { limit: async () => ({ success: true }) },
      STREAM: {},
    })
    await world.release('r1', { name: 'App', collections: {}, migrations: [] })
    ada = await world.person(ADA)
    const ASSET_SERVER = { fetch: async () => new Response('', { status: 404 }) }
    enableCapabilities(...CAPABILITY_KEYS)
    Object.assign(workerEnv, { LIVE: world.tier(), ASSET_SERVER })
  })
  after(() => {
    ObjectWorld.uninstall()
    for (const name of ['LIVE', 'ASSET_SERVER']) delete workerEnv[name]
    enableCapabilities()
  })

  const request = (session: string | null = ada, path = '/api/plants') => {
    const headers = session === null ? {} : { cookie: `__Host-app_session=${session}` }
    return new Request(ORIGIN + path, { headers })
  }
  const userOf = (session?: string | null) => world.run(server.auth.user(request(session)))
  const require = (options: Parameters<typeof server.auth.require>[1], session?: string | null) =>
    world.run(server.auth.require(request(session), options))
  /** Requests the signed-in person as the app's page does. Only the page stores a renewed session in its cookie. */
  async function me() {
    const answer = await world.run(world.tier().auth('me', { session: ada }))
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const appoint = (role: 'staff' | 'member') => world.run(world.operator().setRole('production', ADA, role))
  const person = {
    id: ADA,
    email: `${ADA}@example.test`,
    emailVerified: true,
    name: 'A person',
    role: 'member',
  }

  test('a request comes from the person of its session, or from a visitor when the session is missing or invalid', async () => {
    const { createdAt: _createdAt, ...user } = (await userOf()) ?? assert.fail('a visitor')
    assert.deepEqual(user, person)
    for (const session of [null, '', 'x', `${BEN}${ada.slice(ADA.length)}`, `${ada}0`])
      assert.equal(await userOf(session), null)
  })

  test('server code that requires a person, staff or a member of a team rejects everyone else', async () => {
    assert.equal((await require({})).id, ADA)
    assert.equal((await require({ role: 'member' })).id, ADA)
    await assert.rejects(require({}, null), NOT_SIGNED_IN)
    await assert.rejects(require({ role: 'staff' }), {
      code: 'forbidden',
      message: 'Only staff may do this.',
    })
    const created = await world.run(
      world.tier().team('create', { session: ada, name: 'Gardeners', roles: [] }),
    )
    const team = created.ok ? created.value.id : assert.fail(created.error.message)
    assert.equal((await require({ team })).id, ADA)
    const ben = await world.person(BEN, { role: 'staff' })
    const outside = { code: 'forbidden', message: 'Only members of the team may do this.' }
    await assert.rejects(require({ team }, ben), outside)
    for (const other of [teamId('z'), '', 'x']) await assert.rejects(require({ team: other }), outside)
    assert.equal((await require({ role: 'staff' }, ben)).id, BEN)
  })

  test('server code that passes on a value of a request of another type gets an error that names the field', async () => {
    const of = <T>(value: unknown) => value as T
    const { auth, guard, team, video } = server
    for (const given of [null, undefined, 'x', 7]) {
      const calls: [field: string, call: () => Promise<unknown>][] = [
        ['name', () => auth.update(ADA, of(given))],
        ['name', () => team.as(request()).create(of(given))],
        ['name', () => video.as(request()).createUpload(of(given))],
        ...(given === 'x' ? [] : [['who', () => guard.limit('posts', of(given))] as (typeof calls)[0]]),
      ]
      for (const [field, call] of calls)
        await assert.rejects(world.run(call()), { code: 'invalid_request', field }, `${field} ${given}`)
    }
    await assert.rejects(world.run(team.as(request()).invite('t_1', of(null))), { code: 'not_found' })
  })

  const uses: [what: string, use: () => Promise<unknown>][] = [
    ['server code that reads the person', () => userOf()],
    [
      'server code that counts a limit of the person',
      () => world.run(server.guard.limit('posts', request())),
    ],
    [
      'a request for an asset of members',
      () => world.run(Promise.resolve(server.assets.request(request(ada, '/_app/assets/a.png')))),
    ],
  ]
  for (const [what, use] of uses) {
    test(`after a role change, ${what} does not renew the session, because only the page can store the new session in the cookie`, async () => {
      await appoint('staff')
      await use()
      mock.timers.tick(REPLACED_MS + 1000)
      assert.equal((await userOf())?.role, 'staff')
      const { renewed } = (await me()) ?? assert.fail('signed out')
      assert.ok(renewed !== null && renewed.token !== ada)
    })

    test(`${what} does not extend the session, because only the page can store the new expiry in the cookie`, async () => {
      mock.timers.tick(286 * DAY_MS)
      await use()
      const { renewed } = (await me()) ?? assert.fail('signed out')
      assert.equal(renewed?.token, ada)
    })
  }

  test('server code can find, rename and sign out a person, and gets null or not_found for a person who does not exist', async () => {
    assert.equal((await world.run(server.auth.get(ADA)))?.name, 'A person')
    assert.equal((await world.run(server.auth.update(ADA, { name: ' Ada ' }))).name, 'Ada')
    await world.run(server.auth.signOutAll(ADA))
    assert.equal(await userOf(), null)
    const missing = { code: 'not_found', message: 'There is no such user.' }
    for (const id of [BEN, '', 'x', `${ADA}x`]) {
      assert.equal(await world.run(server.auth.get(id)), null)
      await assert.rejects(world.run(server.auth.update(id, { name: 'x' })), missing)
      await assert.rejects(world.run(server.auth.signOutAll(id)), missing)
    }
  })
})
