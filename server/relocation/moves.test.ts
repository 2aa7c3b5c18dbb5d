import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { uploadAsset, textAsset } from '../capabilities/assets/testing.ts'
import { attach, fileOf } from '../attachments/testing.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { until } from '../releases/testing.ts'
import {
  addPlants,
  MOVE_EFFECTS,
  type MovesApp,
  openMovesApp,
  plantsOf,
  readFile,
  uploadFile,
} from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('moving from the local cloud to a real account', () => {
  let it: MovesApp
  before(async () => {
    it = await openMovesApp()
  })
  after(() => it.close())

  test('moving a project to another account copies records, people, files, unsent mails, attachments and assets, and leaves nothing behind', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'bucket.empty': 'some',
        'object.put': 1,
        'record.delete': 1,
        'record.replace': 1,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from, url } = await it.liveProject('Greenhouse')
    // Enough records for more than one page of the copy, and one record that fills a page alone.
    for (let n = 0; n < 3; n++)
      await addPlants(
        url,
        Array.from({ length: 100 }, (_, i) => `Plant ${n}-${i}`),
        { notes: 'w'.repeat(400) },
      )
    const [first] = (await addPlants(url, ['Renamed'])).records
    const record = (method: string, id = '', body?: object) =>
      person.call(`${method} ${path}/capabilities/data/records/plants/app/${id}`, body)
    // The service reads records from an index that is updated a moment after the write.
    await until(async () => (await record('PUT', first?.id, { name: 'Renamed again' })).status === 200)
    const [gone] = (await addPlants(url, ['Removed'])).records
    await until(async () => (await record('DELETE', gone?.id)).status === 200)
    const big = randomBytes(7 * 1024 * 1024)
    const small = randomBytes(100)
    const files = [await uploadFile(url, big), await uploadFile(url, small)]
    const image = fileOf('image/png')
    const key = await attach(person, path, image, 'image/png')
    await person.call(`PUT ${path}/capabilities/assets`, { enabled: true })
    await uploadAsset(person, path, textAsset('logo/a b.txt', 'a logo'))
    const records = await plantsOf(url)
    assert.equal(records.length, 301)
    const ada = { email: 'ada@example.test', password: 'ada likes apples' }
    const post = (at: string, path: string, body: object) =>
      cloudFetch(`${at}/_app/auth/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const signedUp = await post(url, 'sign-up', { ...ada, name: 'Ada' })
    const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    const whoIs = async (at: string) =>
      ((await (await cloudFetch(`${at}/_app/auth/me`, { headers: { cookie } })).json()) as { data: object })
        .data
    const known = await whoIs(url)
    assert.ok(known)
    const withGoogle = await person.call(`PUT ${path}/capabilities/auth`, {
      enabled: true,
      settings: { methods: { oauth: [{ id: 'google', clientId: 'club' }] } },
      secrets: { googleClientSecret: 'comes along' },
    })
    assert.equal(withGoogle.error, undefined)
    // The app offers Google only when it has the secret for it.
    const providersOf = async (at: string) =>
      (await (await cloudFetch(`${at}/_app/auth/settings`)).text()).includes('"title":"Google"')
    await until(() => providersOf(url))

    const mails = await it.mailsIn(person, project, from, {
      n: 1,
      id: 'mail_1',
      kind: 'app',
      state: 'waiting',
      createdAt: new Date().toISOString(),
      goodUntilMs: Date.now() + 86_400_000,
      mail: {
        to: ['ada@example.test'],
        subject: 'Your invoice',
        text: 'See the file.',
        html: null,
        replyTo: null,
        // Makes the body larger than the admin worker accepts for any other request.
        attachments: [
          { name: 'invoice.pdf', type: 'application/pdf', bytes: randomBytes(3_000_000).toString('base64') },
        ],
      },
    })
    assert.deepEqual(
      mails.map((mail) => mail.id),
      ['mail_1'],
    )

    const { id, token } = await it.realAccount()
    const connected = await it.paste(person, token)
    assert.equal(connected.status, 200, connected.error?.message ?? '')
    // Connecting an account moves nothing yet, so the old app still serves.
    const waiting = await it.stateOf(person, path)
    assert.deepEqual([waiting.state, waiting.url, waiting.move?.state], ['live', url, 'waiting'])
    const listed = await person.call<{ projectName: string; state: string; canShip: boolean }[]>(
      'GET /connections/cloudflare/moves',
    )
    assert.deepEqual(
      listed.data.map((move) => [move.projectName, move.state, move.canShip]),
      [['Greenhouse', 'waiting', true]],
    )
    const read = () => person.call<object[]>(`GET ${path}/capabilities/data/records/plants?limit=1000`)
    assert.equal((await read()).data.length, 301)
    const attachment = () => person.raw(`GET ${path}/attachments/${key.split('/')[1]}`)
    assert.equal((await attachment()).status, 200)

    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.ok(moved.endsWith(`.localhost:${it.real.appsPort}`), moved)
    assert.deepEqual(await plantsOf(moved), records, 'ids, revisions and times too')
    assert.deepEqual(await it.mailsIn(person, project, id), mails)
    assert.ok((await readFile(moved, files[0] ?? '')).equals(big))
    assert.ok((await readFile(moved, files[1] ?? '')).equals(small))
    const list = (await (await cloudFetch(`${moved}/api/list`)).json()) as {
      items: { name: string; ownerId: string; size: number }[]
    }
    assert.deepEqual(
      list.items.map(({ name, ownerId, size }) => [name, ownerId, size]).toSorted(),
      [
        ['größe.bin', 'ada', small.length],
        ['größe.bin', 'ada', big.length],
      ].toSorted(),
    )
    assert.equal(await (await cloudFetch(`${moved}/_app/assets/logo/a%20b.txt`)).text(), 'a logo')
    assert.equal((await attachment()).status, 200)
    assert.equal((await addPlants(moved, ['New here'])).status, 200)
    assert.deepEqual(await whoIs(moved), known, 'still signed in')
    assert.ok(await providersOf(moved), 'with the secrets')
    assert.equal((await post(moved, 'sign-in', ada)).status, 200)
    assert.equal((await post(moved, 'sign-up', { ...ada, name: 'Twin' })).status, 409)

    await it.settled(person, path)
    assert.deepEqual(await it.heldBy(person, from, project), [])
    assert.ok((await it.heldBy(person, id, project)).includes(`${project.slug}-files`))
    assert.equal((await cloudFetch(url)).status, 404)
    // The service now reads from the new app: search finds the copied records, and counts include them.
    await until(async () => (await read()).data.length === 302)
    const found = await person.call<object[]>(`GET ${path}/capabilities/data/query?collection=plants&q=again`)
    assert.equal(found.data.length, 1)
    assert.equal((await attachment()).status, 200)
    const shown = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    assert.ok(shown.data.previewUrl.endsWith(`.localhost:${it.real.appsPort}`), shown.data.previewUrl)
    const done = await person.call<{ items: { action: string }[] }>(`GET /activity?projectId=${project.id}`)
    assert.ok(done.data.items.some(({ action }) => action === 'project.moved'))

    // Connecting a second real account, or the local emulator account again, is refused.
    const other = await it.realAccount('Other')
    const locked = await it.paste(person, other.token)
    assert.deepEqual([locked.status, locked.error?.code], [409, 'conflict'])
    assert.match(locked.error?.message ?? '', new RegExp(id))
    assert.equal(
      (await it.signIn(person))['error'],
      'account_locked',
      'no way back to the local cloud either',
    )
  })

  test('after a failed move the app stays writable in its old account, and the next deployment moves the current data', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'bucket.empty': 1,
        'record.delete': 1,
        'worker.offline': 'some',
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from, url } = await it.liveProject('Second try')
    const [kept, doomed] = (await addPlants(url, ['Kept', 'Doomed'])).records
    const file = await uploadFile(url, randomBytes(50))
    const { id, token } = await it.realAccount()
    await it.paste(person, token)
    // The failure comes after the copy is complete.
    await it.order({ path: '/assets-upload-session', account: id, times: 9 }, { status: 403 })
    const failed = await it.ship(person, path)
    assert.equal(failed.status, 502)
    const state = await it.stateOf(person, path)
    assert.deepEqual(
      [state.state, state.url, state.move?.state, state.move?.records],
      ['error', url, 'waiting', 2],
    )
    await until(async () => (await addPlants(url, ['Added since'])).status === 200)
    const removed = await person.call(`DELETE ${path}/capabilities/data/records/plants/app/${doomed?.id}`)
    assert.equal(removed.status, 200, removed.error?.message ?? '')
    const since = await uploadFile(url, randomBytes(60))
    const read = await person.call<object[]>(`GET ${path}/capabilities/data/records/plants`)
    assert.equal(read.status, 200, 'the operator reads the app that serves')

    await it.clearFaults()
    const before = await plantsOf(url)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.deepEqual(await plantsOf(moved), before)
    assert.ok(before.some((one) => one.id === kept?.id) && !before.some((one) => one.id === doomed?.id))
    for (const one of [file, since]) assert.ok((await readFile(moved, one)).length >= 50)
    await it.settled(person, path)
    assert.deepEqual(await it.heldBy(person, from, project), [])
  })

  test('while a move to another account copies the data of a project, the old app can be read and refuses changes', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, path, url } = await it.liveProject('Held')
    await addPlants(url, ['One'])
    const { id, token } = await it.realAccount()
    await it.paste(person, token)
    // The delay is after the copy, while the old app still refuses changes.
    await it.order({ path: '/assets-upload-session', account: id }, { delayMs: 4_000 })
    const shipping = it.ship(person, path)
    await until(async () => (await addPlants(url, [`Late ${Math.random()}`])).status === 503)
    assert.ok((await plantsOf(url)).length >= 1)
    const asked = await person.call(`GET ${path}/capabilities/data/collections`)
    assert.deepEqual([asked.status, asked.error?.code], [409, 'conflict'])
    const records = await plantsOf(url)
    const shipped = await shipping
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    assert.deepEqual(await plantsOf(shipped.data.url ?? ''), records)
  })

  test('moving a project without its data starts it empty in the new account and removes the old records and files', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'bucket.empty': 1,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from, url } = await it.liveProject('Fresh')
    await addPlants(url, ['Left behind'])
    await uploadFile(url, randomBytes(50))
    const { token } = await it.realAccount()
    await it.paste(person, token, { liveData: 'leave' })
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.deepEqual(await plantsOf(moved), [])
    assert.deepEqual(((await (await cloudFetch(`${moved}/api/list`)).json()) as { items: [] }).items, [])
    await it.settled(person, path)
    assert.deepEqual(await it.heldBy(person, from, project), [])
  })

  test('the choice to copy or leave records made at deployment overrides the choice made on connecting the account', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, path, url } = await it.liveProject('Chosen')
    await addPlants(url, ['Comes along'])
    const { token } = await it.realAccount()
    await it.paste(person, token, { liveData: 'leave' })
    const shipped = await it.ship(person, path, { liveData: 'copy' })
    assert.deepEqual(
      (await plantsOf(shipped.data.url ?? '')).map(({ name }) => name),
      ['Comes along'],
    )
    const refused = await it.ship(person, path, { liveData: 'burn' })
    assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'])
  })

  test("when old resources cannot be removed after a project's move, the reason is stored and a later attempt removes them", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'worker.delete failed': 'some',
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from, url } = await it.liveProject('Stuck')
    await addPlants(url, ['One'])
    const { token } = await it.realAccount()
    await it.paste(person, token)
    await it.control('/faults', {
      match: {
        provider: 'cloudflare',
        method: 'DELETE',
        path: `/scripts/${project.slug}-live`,
        account: from,
        times: 20,
      },
      do: { status: 403 },
    })
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    await until(async () => (await it.stateOf(person, path)).move?.problem !== null)
    const { move } = await it.stateOf(person, path)
    assert.equal(move?.state, 'removing')
    assert.ok((await it.heldBy(person, from, project)).length > 0)
    assert.equal((await plantsOf(shipped.data.url ?? '')).length, 1)
    const { settleMoves } = await import('./leave-hosting.ts')
    await until(async () => {
      await settleMoves.run(it.app.platform, AbortSignal.timeout(30_000))
      return (await it.stateOf(person, path)).move === null
    })
    assert.deepEqual(await it.heldBy(person, from, project), [])
  })

  test('deleting a project before its move to another account begins removes its resources in the local emulator account', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'bucket.delete': 'some',
        'connection.reconnected': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const { person, project, path, from } = await it.liveProject('Deleted')
    const { token } = await it.realAccount()
    await it.paste(person, token)
    const removed = await person.call<{ teardown: { remaining: number } }>(`DELETE ${path}`)
    assert.deepEqual(
      [removed.status, removed.data.teardown.remaining],
      [200, 0],
      removed.error?.message ?? '',
    )
    assert.deepEqual(await it.heldBy(person, from, project), [])
    assert.deepEqual((await person.call<object[]>('GET /connections/cloudflare/moves')).data, [])
  })

  test("reconnecting the local emulator account before the next deployment cancels the project's move to another account", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'connection.reconnected': 2,
        'project.deployed': 2,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const { person, path, url } = await it.liveProject('Back again')
    const { token } = await it.realAccount()
    await it.paste(person, token)
    assert.equal((await it.stateOf(person, path)).move?.state, 'waiting')
    assert.deepEqual(await it.signIn(person), { connected: 'cloudflare' })
    assert.equal((await it.stateOf(person, path)).move, null)
    assert.equal((await it.ship(person, path)).data.url, url)
  })

  test('a project created after connecting another cloud account is deployed there, and another organization sees no moves', async () => {
    leaves({
      events: { 'project.created': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'connection.reconnected': 1,
        'project.deployed': 2,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const { person } = await it.liveProject('First of two')
    const { token } = await it.realAccount()
    await it.paste(person, token)
    const { data: project } = await person.call<{ id: string }>('POST /projects', { name: 'Born there' })
    const { url } = await it.makeLive(person, project.id)
    assert.ok(url.endsWith(`.localhost:${it.real.appsPort}`), url)
    const stranger = await it.newPerson()
    assert.deepEqual((await stranger.call<object[]>('GET /connections/cloudflare/moves')).data, [])
    assert.equal((await person.call<object[]>('GET /connections/cloudflare/moves')).data.length, 1)
  })
})
