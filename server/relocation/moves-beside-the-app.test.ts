import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { MOVE_EFFECTS, addPlants, type MovesApp, openMovesApp, plantsOf, storingTree } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('moving the parts of a project besides its app', () => {
  let it: MovesApp
  before(async () => {
    it = await openMovesApp()
  })
  after(() => it.close())

  test('after GitHub is connected in place of its local emulator, the next backup goes to a repository at GitHub', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'bucket.create': 2,
        'connection.reconnected': 1,
        'project.deployed': 1,
        'repository.created': 2,
        'repository.pushed': 2,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 'some' },
    })
    const { person, path } = await it.liveProject('Backed up')
    type Backup = { repository: { url: string }; sha: string }
    const local = await person.call<Backup>(`POST ${path}/backup`)
    assert.ok(local.data.repository.url.startsWith(it.world.restUrl), local.error?.message ?? '')
    const query = '?profile=real'
    assert.deepEqual(await it.signIn(person, { provider: 'github', query, decision: {} }), {
      connected: 'github',
    })
    const moved = await person.call<Backup>(`POST ${path}/backup`)
    assert.equal(moved.status, 200, moved.error?.message ?? '')
    assert.ok(moved.data.repository.url.startsWith(it.real.restUrl), moved.data.repository.url)
    assert.equal(moved.data.sha, local.data.sha)
  })

  test('the records of a capability that is switched off are kept when the project moves to another cloud account', async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        'assets.upload': 2,
        'bucket.create': 4,
        'bucket.delete': 2,
        'connection.reconnected': 1,
        'project.deployed': 3,
        'project.moved': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        // The worker bindings in the old account may still be updated when another account is connected. That update fails and is repeated.
        'worker.rebind failed': 'any',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 3, 'leave-hosting': 1, preview: 1, provision: 'some' },
    })
    const { person, path, url } = await it.liveProject('Off for now')
    await addPlants(url, ['Kept'])
    for (const key of ['files', 'data'])
      assert.equal((await person.call(`PUT ${path}/capabilities/${key}`, { enabled: false })).status, 200)
    const { token } = await it.realAccount()
    await it.paste(person, token)
    assert.equal((await it.ship(person, path)).status, 200)
    await it.settled(person, path)
    assert.equal((await person.call(`PUT ${path}/capabilities/data`, { enabled: true })).status, 200)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    assert.deepEqual(
      (await plantsOf(shipped.data.url ?? '')).map(({ name }) => name),
      ['Kept'],
    )
  })

  test("moving a project to an account that has the domain's zone detaches the domain from the old app and attaches it to the new", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'domain.attach': 2,
        'domain.detach': 1,
        'domain.set': 1,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, path, from, url } = await it.liveProject('With a domain')
    const before = await it.rowOf(person)
    const hostname = `app.${before?.subdomain}-demo.localhost`
    assert.equal((await person.call(`POST ${path}/domain/onboard`, { hostname })).status, 200)
    assert.equal((await person.call(`POST ${path}/domain/attach`)).status, 200)
    assert.deepEqual(await it.hostsOf(it.world, from), [hostname])
    // The emulator of Cloudflare derives an account's subdomain and zone from its name, so this account has the zone, too.
    const { id, token } = await it.realAccount(before?.account_name ?? '')
    await it.paste(person, token)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    await it.settled(person, path)
    assert.deepEqual(await it.hostsOf(it.world, from), [])
    assert.deepEqual(await it.hostsOf(it.real, id), [hostname])
    assert.notEqual((await it.stateOf(person, path)).url, url)
  })

  test('a project that moved to another cloud account can be rolled back to a release from before the move', async () => {
    leaves({
      events: { 'project.deployed': 3, 'project.rolled_back': 1 },
      activity: {
        'assets.upload': 3,
        'bucket.create': 4,
        'bucket.delete': 2,
        'connection.reconnected': 1,
        'project.deployed': 3,
        'project.moved': 1,
        'project.rolled_back': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 4, 'leave-hosting': 1, preview: 1, provision: 'some' },
    })
    const { person, project, path } = await it.liveProject('Goes back')
    const first = (await person.call<{ sha: string }>(`GET ${path}/deploy`)).data.sha
    await it.build(project.id, new Map([...storingTree(), ['public/second.txt', 'second']]))
    assert.equal((await it.ship(person, path)).status, 200)
    const { token } = await it.realAccount()
    await it.paste(person, token)
    const moved = (await it.ship(person, path)).data.url ?? ''
    await it.settled(person, path)
    const { data } = await person.call<{ managed: { id: string; url: string | null }[] }>(
      `GET ${path}/deployments`,
    )
    const worker = data.managed.find(({ url }) => url === moved)
    assert.equal(await (await cloudFetch(`${moved}/second.txt`)).text(), 'second')
    const back = await person.call<{ to: { sha: string } }>(`POST ${path}/resources/${worker?.id}/rollback`)
    assert.deepEqual([back.status, back.data.to.sha], [200, first], back.error?.message ?? '')
    assert.notEqual(await (await cloudFetch(`${moved}/second.txt`)).text(), 'second')
  })

  test('moving a project to another account copies its records even after the Worker that reads them was deleted', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'resource.removed': 1,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, path, url } = await it.liveProject('Without its door')
    await addPlants(url, ['Still there'])
    const { data } = await person.call<{ managed: { id: string; name: string }[] }>(`GET ${path}/deployments`)
    const door = data.managed.find(({ name }) => name.endsWith('-admin'))
    assert.equal((await person.call(`DELETE ${path}/resources/${door?.id}`)).status, 200)
    const { token } = await it.realAccount()
    await it.paste(person, token)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const names = (await plantsOf(shipped.data.url ?? '')).map(({ name }) => name)
    assert.deepEqual(names, ['Still there'])
  })
})
