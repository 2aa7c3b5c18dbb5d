import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RunningCall } from '@slipway/runtime/call/types.ts'
import * as z from 'zod'
import { type CallsKind, createCalls, deleteCalls, findCalls } from '../../cloudflare/products/calls.ts'
import { appSaying, type CloudApp, openCloudApp, until, wordAt } from '../../releases/testing.ts'
import { RoomPage } from '../live/testing.ts'
import { callOperator } from '../operator/call.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Calls',
  uses: ['live', 'call'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  rooms: [{ room: 'call', access: 'public' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const callsSaying = (word: string) =>
  new Map([...appSaying(word), ['app.json', JSON.stringify(MANIFEST)], ['web/pages/Home.tsx', HOME]])
const KINDS: CallsKind[] = ['sfu_app', 'turn_key']
const Bindings = z.object({ bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })) })
/** The shortest SDP offer that a browser would send. */
const OFFER =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:0\r\na=sendonly\r\n'
/** The SDP offer after the camera was turned off and on again. */
const NEXT_OFFER =
  OFFER.replace(' 9 ', ' 0 ').replace('sendonly', 'inactive') +
  OFFER.slice(OFFER.indexOf('m=')).replace('mid:0', 'mid:1')

/** The tests share one shipped app and depend on their order. */
describe('calls of a deployed app', () => {
  let cloud: CloudApp
  let made: Awaited<ReturnType<CloudApp['personWithProject']>>
  let url: string
  const account = () => cloud.accountOf(made.person.organizationId)
  const name = () => `${made.project.slug}-call`
  before(async () => {
    cloud = await openCloudApp()
    made = await cloud.personWithProject('Calls')
    await put('live', { allowAnonymous: true })
    await put('call', { mode: 'sfu' })
    url = await ship('one')
  })
  after(() => cloud.close())

  async function put(key: string, settings: object) {
    const path = `${made.path}/capabilities/${key}`
    const { error } = await made.person.call(`PUT ${path}`, { enabled: true, settings })
    assert.equal(error, undefined)
    const state = async () =>
      (await made.person.call<{ provision: { state: string } }>(`GET ${path}`)).data.provision.state
    await until(async () => (await state()) === 'idle')
  }
  async function ship(word: string): Promise<string> {
    await cloud.build(made.project.id, callsSaying(word))
    const { data, error } = await made.person.call<{ url: string }>(`POST ${made.path}/deploy`)
    assert.equal(error, undefined)
    assert.equal(await wordAt(data.url), word)
    return data.url
  }
  const ids = async () => {
    const here = await account()
    return await Promise.all(
      KINDS.map(async (kind) => (await findCalls(here, kind, name())).map(({ uid }) => uid)),
    )
  }
  /** Asserts that one page can publish a video track and another page can receive it. */
  async function canCall(room: string): Promise<void> {
    const [ada, ben] = [await RoomPage.open(url, room), await RoomPage.open(url, room)]
    const { iceServers } = await ada.ask('join', null)
    assert.deepEqual(
      iceServers.map(({ urls }) => urls),
      [['stun:127.0.0.1:3478'], ['turn:127.0.0.1:3478?transport=udp']],
    )
    await ben.ask('join', null)
    for (const page of [ada, ben]) await page.ask('session', null)
    const answer = await ada.ask('publish', { sdp: OFFER, tracks: [{ mid: '0', track: 'video' }] })
    assert.match(answer.sdp, /^v=0[\s\S]*m=video[\s\S]*a=recvonly/)
    const peer = ben.peers.find(({ id }) => id !== ben.me)?.id ?? ''
    const pulled = await ben.ask('pull', { tracks: [{ peer, track: 'video' }] })
    assert.match(pulled.sdp ?? '', /m=video[\s\S]*a=sendonly/)
    assert.deepEqual(pulled.tracks, [{ peer, track: 'video', mid: '0' }])
    await ben.ask('answer', { sdp: 'v=0\r\n' })
    await ben.ask('close', { mids: ['0'] })
    await ada.ask('close', { mids: ['0'] })
    const next = await ada.ask('publish', { sdp: NEXT_OFFER, tracks: [{ mid: '1', track: 'video' }] })
    assert.match(
      next.sdp,
      /BUNDLE 1\r\nm=video 0 [\s\S]*a=inactive\r\nm=video 9 [\s\S]*a=mid:1\r\na=recvonly/,
    )
    for (const page of [ada, ben]) await page.close()
  }

  test("a page of an app receives another page's video track through the SFU and gets the addresses of STUN and TURN servers", async () => {
    await canCall('call/1')
  })

  test("an operator's request that an earlier app version does not support is a not_enabled error that asks to ship the app again", async () => {
    const { person, project } = made
    const owner = { id: project.id, org_id: person.organizationId, slug: project.slug }
    const unknown = { tier: 'production', method: 'GET', path: '/call/later', result: z.unknown() } as const
    await assert.rejects(callOperator(cloud.app.platform, owner, unknown), {
      code: 'not_enabled',
      message: 'The live app was shipped by an earlier version. Ship it again to do this.',
    })
  })

  test("the operator's list of calls shows the media tracks of each participant, until the last one leaves", async () => {
    const read = async () =>
      (await made.person.call<RunningCall[]>(`GET ${made.path}/capabilities/call/calls`)).data
    const seen = async () =>
      (await read()).map(({ id, people }) => [id, people.map(({ tracks, muted }) => [tracks, muted])])
    await until(async () => (await read()).length === 0)
    const [ada, ben] = [await RoomPage.open(url, 'call/first'), await RoomPage.open(url, 'call/first')]
    const cleo = await RoomPage.open(url, 'call/second')
    await ada.ask('join', null)
    await ben.ask('join', null)
    await ben.ask('update', { tracks: ['audio', 'screen'], muted: ['audio'] })
    await cleo.ask('join', null)
    await until(async () => (await read()).length === 2)
    const first = (await read()).find(({ id }) => id === 'first')
    assert.ok(first)
    const { people, startedAt, ...where } = first
    assert.deepEqual(where, { room: 'call', id: 'first', partition: null, mode: 'sfu' })
    const [began = ''] = people.map(({ joinedAt }) => joinedAt).toSorted()
    assert.equal(startedAt, began)
    const sending = people.find(({ tracks }) => tracks.length > 0)
    assert.deepEqual(
      { ...sending, joinedAt: '' },
      { userId: null, name: null, joinedAt: '', tracks: ['audio', 'screen'], muted: ['audio'] },
    )
    // Ada leaves the call, and Cleo's page disconnects without leaving.
    await ada.ask('leave', null)
    await cleo.close()
    await until(async () => (await read()).length === 1)
    assert.deepEqual(await seen(), [['first', [[['audio', 'screen'], ['audio']]]]])
    assert.equal((await read())[0]?.startedAt, startedAt)
    await ben.close()
    await until(async () => (await read()).length === 0)
    await ada.close()
  })

  test('only the Durable Objects worker has the secrets for audio and video calls, and no response of the capability contains them', async () => {
    const secretsOf = async (script: string) => {
      const { bindings } = await (
        await account()
      ).call({
        method: 'GET',
        path: `/accounts/:account/workers/scripts/${script}/settings`,
        doing: 'read its bindings',
        result: Bindings,
      })
      return bindings.filter(({ type }) => type.startsWith('secret')).map((bound) => bound.name)
    }
    const { slug } = made.project
    assert.deepEqual((await secretsOf(`${slug}-live`)).toSorted(), ['SFU_SECRET', 'TURN_KEY'])
    assert.deepEqual(await secretsOf(slug), [])
    const { rows } = await cloud.app.platform.pool.query<{ name: string; sealed: string }>(
      "select name, sealed from capability_secrets where key = 'call' order by name",
    )
    assert.deepEqual(
      rows.map((row) => row.name),
      ['sfuSecret', 'turnKey'],
    )
    const shown = await made.person.call<object>(`GET ${made.path}/capabilities/call`)
    assert.doesNotMatch(JSON.stringify(shown), /secret|sealed|turnKey/i)
  })

  test('deploying again recreates a deleted SFU app and a deleted TURN key, and calls work again', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'sfu_app.create': 1,
        'sfu_app.remove': 1,
        'turn_key.create': 1,
        'turn_key.remove': 1,
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const before = await ids()
    for (const kind of KINDS)
      for (const one of await findCalls(await account(), kind, name()))
        await deleteCalls(await account(), kind, one)
    cloud.app.clock.advance(61_000)
    url = await ship('two')
    const now = await ids()
    assert.deepEqual(
      now.map((of) => of.length),
      [1, 1],
    )
    assert.notDeepEqual(now, before)
    await canCall('call/2')
  })

  test('reconciling a project replaces an SFU app whose secret is not stored, and a TURN key whose id is not stored', async () => {
    leaves({
      activity: {
        'project.reconciled': 1,
        'sfu_app.create': 1,
        'sfu_app.remove': 1,
        'turn_key.create': 1,
        'turn_key.remove': 1,
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const { pool } = cloud.app.platform
    const [[lostApp]] = (await ids()) as [[string], [string]]
    await pool.query("delete from capability_secrets where key = 'call' and name = 'sfuSecret'")
    await pool.query("update resources set provider_id = null, state = 'error' where kind = 'turn_key'")
    await pool.query("update resources set state = 'error' where kind = 'sfu_app'")
    const { error } = await made.person.call(`POST ${made.path}/reconcile`)
    assert.equal(error, undefined)
    const [apps, keys] = await ids()
    assert.deepEqual([apps?.length, keys?.length], [1, 1])
    assert.notEqual(apps?.[0], lostApp)
    await canCall('call/3')
  })

  test("another program's SFU app of the same name is neither used nor removed", async () => {
    leaves({
      activity: { 'project.reconciled failed': 1, 'sfu_app.create': 1, 'sfu_app.remove': 1 },
      jobs: { deploy: 'some' },
    })
    const here = await account()
    for (const one of await findCalls(here, 'sfu_app', name())) await deleteCalls(here, 'sfu_app', one)
    const theirs = await createCalls(here, 'sfu_app', name())
    cloud.app.clock.advance(61_000)
    const { data } = await made.person.call<{ failed: { reason: string }[] }>(`POST ${made.path}/reconcile`)
    assert.match(JSON.stringify(data.failed), /does not belong to this project/)
    assert.deepEqual((await ids())[0], [theirs.uid])
  })
})
