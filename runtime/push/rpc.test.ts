import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { deviceIdOf } from './endpoint.ts'
import { createPushReceiver } from './receiver.ts'
import type { PushCalls, PushTarget } from './types.ts'

const VAPID_PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64url')
const ENDPOINT = 'https://push.example.com/browser'
const DEVICE = deviceIdOf(ENDPOINT)
const [ADA, BOB] = [userId('a'), userId('b')]
const MESSAGE = { title: 'Hello', body: 'There', url: '/' }
const SIGNED_OUT = { code: 'unauthorized', message: 'Sign in first.' }

describe('push notifications in the live worker', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let ada: string
  let bob: string
  let subscription: object
  let sentTo: string[]
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    sentTo = []
    replaceFetch(async (url: string) => {
      sentTo.push(url)
      return new Response(null, { status: 201 })
    })
    world = new ObjectWorld(modules, { VAPID_PRIVATE_KEY })
    ada = await world.person(ADA)
    bob = await world.person(BOB)
    subscription = (await createPushReceiver(ENDPOINT)).subscription
  })
  after(() => {
    restoreFetch()
    mock.reset()
    ObjectWorld.uninstall()
  })

  /** Returns the result of a call: its value or its error. */
  async function ask<Kind extends keyof PushCalls>(kind: Kind, asked: PushCalls[Kind]['ask']) {
    const answer = await world.run(world.tier().push(kind, asked))
    return answer.ok ? answer.value : answer.error
  }
  const add = (session: string, given: unknown = subscription) =>
    ask('add', { session, host: 'app.example.com', subscription: given })
  const isOn = async (session: string) => {
    const answer = await ask('key', { session, device: DEVICE })
    return 'isOn' in answer ? answer.isOn : answer
  }
  const send = (to: unknown) => ask('send', { to: to as PushTarget, message: MESSAGE })
  const invalidTo = (problem: string) => ({
    code: 'invalid_request',
    message: `to: ${problem}`,
    field: 'to',
  })

  test('a browser gets only the notifications of the person who subscribed in it last', async () => {
    assert.deepEqual(await add(ada), { id: DEVICE })
    assert.deepEqual([await isOn(ada), await isOn(bob)], [true, false])
    assert.deepEqual(await add(bob), { id: DEVICE })
    assert.deepEqual([await isOn(ada), await isOn(bob)], [false, true])
    assert.deepEqual(await send({ userId: ADA }), { sent: 0, gone: 0, failed: 0 })
    assert.deepEqual([await send({ userId: BOB }), sentTo], [{ sent: 1, gone: 0, failed: 0 }, [ENDPOINT]])
  })

  test('when the subscription of a second person fails midway, repeating the subscription removes the device of the first person', async () => {
    await add(ada)
    world.before = (object, method, kind) => {
      if (object === `data:${ADA}` && method === 'push' && kind === 'remove')
        throw new Error('The object restarts.')
    }
    await assert.rejects(add(bob), { message: 'The object restarts.' })
    world.before = () => {}
    assert.deepEqual(await add(bob), { id: DEVICE })
    assert.deepEqual([await isOn(ada), await isOn(bob)], [false, true])
  })

  test('when two people subscribe in the same browser at once, the browser gets the notifications of only one of them', async () => {
    const gate = Promise.withResolvers<void>()
    world.before = (object, method, kind) =>
      object === `data:${ADA}` && method === 'push' && kind === 'add' ? gate.promise : undefined
    const first = add(ada)
    await world.pass()
    await add(bob)
    gate.resolve()
    await first
    assert.deepEqual([await isOn(ada), await isOn(bob)], [false, true])
  })

  test("removing a push device ends its notifications, and a person cannot remove another person's device", async () => {
    await add(ada)
    assert.equal(await ask('remove', { session: bob, id: DEVICE }), null)
    assert.equal(await isOn(ada), true)
    assert.equal(await ask('remove', { session: ada, id: DEVICE }), null)
    assert.deepEqual([await isOn(ada), await send({ userId: ADA })], [false, { sent: 0, gone: 0, failed: 0 }])
  })

  test('a push device with a malformed id cannot be removed, and counts as not subscribed', async () => {
    const refusal = { code: 'invalid_request', message: 'id: must be that of a device', field: 'id' }
    for (const id of [DEVICE.slice(1), DEVICE.toUpperCase(), `${DEVICE}0`, '', null, 5, [DEVICE]])
      assert.deepEqual(await ask('remove', { session: ada, id }), refusal, String(id))
    for (const device of ['', null, 'x'])
      assert.equal(Reflect.get(await ask('key', { session: ada, device }), 'isOn'), false)
  })

  test('a push subscription with a private address, a port or keys that no browser creates is refused and not stored', async () => {
    const { keys } = subscription as { keys: object }
    const refused: [given: unknown, field: string][] = [
      [null, 'endpoint'],
      ['text', 'endpoint'],
      [{ endpoint: 'http://push.example.com/1', keys }, 'endpoint'],
      [{ endpoint: 'https://127.0.0.1/1', keys }, 'endpoint'],
      [{ endpoint: 'https://localhost/1', keys }, 'endpoint'],
      [{ endpoint: 'https://push.example.com:8443/1', keys }, 'endpoint'],
      [{ endpoint: ENDPOINT }, 'keys'],
      [{ endpoint: ENDPOINT, keys: { ...keys, auth: '' } }, 'keys'],
      [{ endpoint: ENDPOINT, keys: { ...keys, p256dh: 'AAAA' } }, 'keys'],
    ]
    for (const [given, field] of refused) {
      const answer = await add(ada, given)
      assert.deepEqual(
        [Reflect.get(answer, 'code'), Reflect.get(answer, 'field')],
        ['invalid_request', field],
        JSON.stringify(given),
      )
    }
    assert.deepEqual(world.tablesOf('dir').includes('push_owners'), false)
  })

  test('without a valid session, requests to subscribe to notifications, read the push key or remove a device are refused', async () => {
    for (const session of ['', 'nonsense', `${ADA}.x.y`, ada.slice(0, -1)]) {
      assert.deepEqual(await add(session), SIGNED_OUT)
      assert.deepEqual(await ask('key', { session, device: null }), SIGNED_OUT)
      assert.deepEqual(await ask('remove', { session, id: DEVICE }), SIGNED_OUT)
    }
  })

  test('an app without a push key refuses to add subscriptions and to send notifications', async () => {
    const disabled = { code: 'not_enabled', message: 'The app has no key to send notifications with.' }
    delete world.env['VAPID_PRIVATE_KEY']
    assert.deepEqual(
      [await add(ada), await ask('key', { session: ada, device: null }), await send({ userId: ADA })],
      [disabled, disabled, disabled],
    )
  })

  test('a person who is named twice gets a notification once, and people without devices do not count as receivers', async () => {
    await add(ada)
    assert.deepEqual(await send({ userIds: [ADA, BOB, ADA, userId('c')] }), { sent: 1, gone: 0, failed: 0 })
    assert.deepEqual([await send({ userIds: [] }), sentTo], [{ sent: 0, gone: 0, failed: 0 }, [ENDPOINT]])
  })

  test("when one person's devices cannot be read, the other receivers get the notification and the report names that person", async () => {
    await add(bob)
    world.before = (object, _, kind) => {
      if (object === `data:${ADA}` && kind === 'send') throw new Error('The object restarts.')
    }
    for (const userIds of [
      [ADA, BOB],
      [BOB, ADA],
    ])
      assert.deepEqual(await send({ userIds }), { sent: 1, gone: 0, failed: 0, unreached: [ADA] })
    assert.deepEqual(sentTo, [ENDPOINT, ENDPOINT])
  })

  test('a notification that reaches none of its receivers fails with the reason, so that the app can send it again', async () => {
    await add(ada)
    world.before = (_, __, kind) => {
      if (kind === 'send') throw new Error('The object restarts.')
    }
    await assert.rejects(send({ userId: ADA }), { message: 'The object restarts.' })
    await assert.rejects(send({ userIds: [ADA, BOB] }), { message: 'The object restarts.' })
    assert.deepEqual(sentTo, [])
  })

  test('a notification has at most a hundred receivers, and a person is named only by id', async () => {
    await add(ada)
    const people = Array.from({ length: 100 }, () => ADA)
    assert.deepEqual(await send({ userIds: people }), { sent: 1, gone: 0, failed: 0 })
    assert.deepEqual(await send({ userIds: [...people, ADA] }), invalidTo('must name at most 100 people'))
    const byId = invalidTo('must name people by their id')
    for (const to of [
      null,
      {},
      { userId: 'ada' },
      { userId: teamId('a') },
      { userIds: [ADA, 5] },
      { userIds: ADA },
    ])
      assert.deepEqual(await send(to), byId, JSON.stringify(to))
    for (const id of ['', ADA, null])
      assert.deepEqual(await send({ teamId: id }), invalidTo('must name a team'))
    assert.equal(sentTo.length, 1)
  })

  test('a notification to a team that does not exist reaches no one and creates no team', async () => {
    assert.deepEqual(await send({ teamId: teamId('z') }), { sent: 0, gone: 0, failed: 0 })
    assert.deepEqual(world.tablesOf(`data:${teamId('z')}`), [])
  })

  test('a person of the preview does not get the notifications that the live app sends to the same id', async () => {
    const session = await world.person(ADA, { tier: 'preview' })
    const preview = world.tier('preview')
    const asked = { session, host: 'preview.example.com', subscription }
    assert.deepEqual(await world.run(preview.push('add', asked)), { ok: true, value: { id: DEVICE } })
    assert.deepEqual(await send({ userId: ADA }), { sent: 0, gone: 0, failed: 0 })
  })
})
