import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type CallPage, RoomCalls } from './calls.ts'
import { callSettingsOf } from './provider.ts'
import type { CallRequests, CallClientFrame, CallParticipantState } from './types.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'

const SFU = { SFU_APP_ID: 'app1', SFU_SECRET: 'canary-sfu' }
const TURN = { TURN_KEY_ID: 'key1', TURN_KEY: 'canary-turn' }

function openRoom(env: object = {}) {
  const reports: string[] = []
  const calls = new RoomCalls(callSettingsOf(env), (error) => reports.push(String(error)))
  const pages: (CallPage & { told: number })[] = []
  const enter = (peer: string) => {
    let call: CallParticipantState | undefined
    const page = {
      peer,
      told: 0,
      get call() {
        return call
      },
      set(next: CallParticipantState | undefined, isQuiet?: true) {
        call = next
        if (isQuiet !== true) page.told++
      },
    }
    pages.push(page)
    return page
  }
  const ask = async <Kind extends keyof CallRequests>(me: CallPage, kind: Kind, given: unknown = null) =>
    (await calls.answer(me, () => pages.filter((one) => one !== me), {
      type: 'call',
      ref: 'r',
      kind,
      ask: given,
    } as CallClientFrame)) as CallRequests[Kind]['answer']
  const join = async (...names: string[]) => {
    const joined = names.map(enter)
    for (const page of joined) await ask(page, 'join')
    return joined
  }
  const modes = () => pages.map(({ call }) => call?.mode ?? null)
  return { calls, enter, ask, join, modes, reports }
}

interface ProviderRequest {
  method: string
  path: string
  secret: string | null
  body: Record<string, unknown> | null
}
/** Mocks the provider: `answers` maps the end of a request's path to its JSON response, or to a status. */
function mockProvider(answers: Record<string, object | number>): ProviderRequest[] {
  const asked: ProviderRequest[] = []
  let sessions = 0
  replaceFetch(async (url: string, init: RequestInit) => {
    const { pathname, host } = new URL(url)
    assert.equal(host, 'rtc.live.cloudflare.com')
    const secret = new Headers(init.headers).get('authorization')
    asked.push({
      method: init.method ?? '',
      path: pathname,
      secret,
      body: init.body === undefined ? null : (JSON.parse(String(init.body)) as ProviderRequest['body']),
    })
    const end = Object.keys(answers).find((one) => pathname.endsWith(one))
    const answer = end === undefined ? {} : answers[end]
    if (typeof answer === 'number') return new Response('{}', { status: answer })
    return Response.json(pathname.endsWith('sessions/new') ? { sessionId: `s${++sessions}` } : answer)
  })
  return asked
}

describe('the calls of a room', () => {
  afterEach(() => restoreFetch())

  test('a call is peer to peer up to the configured number of participants, and above it switches to the media server', async () => {
    const { ask, join, enter, modes } = openRoom({ ...SFU, CALL_MESH_MAX: '2', CALL_MAX_PEERS: '3' })
    const [ada] = await join('ada', 'ben')
    assert.ok(ada)
    await ask(ada, 'update', { tracks: ['audio', 'video'], muted: ['audio'] })
    assert.deepEqual(modes(), ['mesh', 'mesh'])
    await join('cleo')
    assert.deepEqual(modes(), ['sfu', 'sfu', 'sfu'])
    const { mode, tracks, muted } = ada.call ?? {}
    assert.deepEqual([mode, tracks, muted], ['sfu', [], ['audio']], 'nothing of her is there yet')
    await assert.rejects(ask(enter('dora'), 'join'), { code: 'unavailable' })
    // A call that uses the media server keeps using it until the last page has left, so that it does not
    // switch repeatedly.
    await ask(ada, 'leave')
    await join('eve')
    assert.deepEqual(modes(), [null, 'sfu', 'sfu', null, 'sfu'])
  })

  test('when the media server is missing or switched off, a call accepts participants up to the peer-to-peer limit', async () => {
    for (const env of [{ CALL_MESH_MAX: '2' }, { ...SFU, CALL_MODE: 'mesh', CALL_MESH_MAX: '2' }]) {
      const { join, modes } = openRoom(env)
      await join('ada', 'ben')
      await assert.rejects(join('cleo'), { code: 'unavailable', message: 'The call is full.' })
      assert.deepEqual(modes(), ['mesh', 'mesh', null])
    }
    await assert.rejects(openRoom({ CALL_MODE: 'sfu' }).join('ada'), {
      code: 'unavailable',
      message: /not set up/,
    })
    const always = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    await always.join('ada')
    assert.deepEqual(always.modes(), ['sfu'])
  })

  test('a page can use only its own media session, and gets only tracks of its own call', async () => {
    const asked = mockProvider({
      's1/tracks/new': { sessionDescription: { sdp: 'theirs' }, tracks: [{ mid: '0', trackName: 'video' }] },
      '/tracks/new': {
        sessionDescription: { sdp: 'theirs' },
        tracks: [
          { mid: '7', trackName: 'video', sessionId: 's1' },
          { trackName: 'audio', sessionId: 's1', errorCode: 'x' },
        ],
      },
    })
    const { ask, join, enter } = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    const [ada, ben] = await join('ada', 'ben')
    assert.ok(ada && ben)
    const told = ada.told
    for (const page of [ada, ben]) await ask(page, 'session')
    assert.deepEqual([ada.call?.session, ada.told], ['s1', told], 'the others are not told')
    const { sdp } = await ask(ada, 'publish', { sdp: 'mine', tracks: [{ mid: '0', track: 'video' }] })
    assert.equal(sdp, 'theirs')
    const pulled = await ask(ben, 'pull', {
      tracks: [
        { peer: 'ada', track: 'video' },
        { peer: 'one who has left', track: 'video' },
        { peer: 'ada', track: 'audio' },
      ],
    })
    assert.deepEqual(pulled, { sdp: 'theirs', tracks: [{ peer: 'ada', track: 'video', mid: '7' }] })
    await ask(ben, 'answer', { sdp: 'yes' })
    // A page may send any session id; the room uses only the page's own.
    await ask(ben, 'close', { mids: ['7'], sessionId: 's1', session: 's1' })
    assert.deepEqual(
      asked.map(({ method, path }) => `${method} ${path.replace('/v1/apps/app1/sessions/', '')}`),
      [
        'POST new',
        'POST new',
        'POST s1/tracks/new',
        'POST s2/tracks/new',
        'PUT s2/renegotiate',
        'PUT s2/tracks/close',
      ],
    )
    assert.deepEqual([asked[0]?.body, asked[1]?.body], [null, null], 'a session begins without a body')
    assert.ok(asked.every(({ secret }) => secret === 'Bearer canary-sfu'))
    const stranger = enter('eve')
    await assert.rejects(ask(stranger, 'pull', { tracks: [{ peer: 'ada', track: 'video' }] }), {
      code: 'conflict',
    })
    for (const peer of ['eve', 's1', 'nobody'])
      await assert.rejects(ask(ben, 'pull', { tracks: [{ peer, track: 'video' }] }), { code: 'not_found' })
  })

  test('an invalid call request is rejected without calling the provider', async () => {
    const asked = mockProvider({})
    const { ask, join, enter } = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    const [ada] = await join('ada')
    assert.ok(ada)
    await assert.rejects(ask(enter('ben'), 'update', { tracks: [], muted: [] }), { code: 'conflict' })
    await assert.rejects(ask(ada, 'publish', { sdp: '', tracks: [] }), { code: 'conflict' })
    for (const given of [
      null,
      {},
      { tracks: 'audio' },
      { tracks: ['smell'], muted: [] },
      { tracks: Array(65).fill('audio') },
    ])
      await assert.rejects(ask(ada, 'update', given), { code: 'invalid_request' })
    const mesh = openRoom()
    const [ben] = await mesh.join('ben')
    assert.ok(ben)
    await assert.rejects(mesh.ask(ben, 'session'), { code: 'conflict' })
    assert.deepEqual(asked, [])
  })

  test('a call request whose lists hold values of the wrong type is rejected with an error that the page can show', async () => {
    mockProvider({ '/tracks/new': {}, '/close': {} })
    const { ask, join } = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    const [ada] = await join('ada')
    assert.ok(ada)
    await ask(ada, 'session')
    for (const one of [5, 'text', true, [], {}, { toString: null, valueOf: null }]) {
      await assert.rejects(ask(ada, 'pull', { tracks: [one] }), { code: 'not_found' })
      await assert.rejects(ask(ada, 'publish', { sdp: one, tracks: [one] }), { code: 'invalid_request' })
      if (typeof one !== 'string')
        await assert.rejects(ask(ada, 'close', { mids: [one] }), { code: 'invalid_request', field: 'mids' })
      for (const kind of ['update', 'pull', 'publish', 'close'] as const)
        await assert.rejects(ask(ada, kind, one), { code: 'invalid_request' })
    }
  })

  test('an audio-only call rejects video, both in announced tracks and in offers', async () => {
    const { calls, ask, join } = openRoom({ CALL_AUDIO_ONLY: 'on' })
    const [ada, ben] = await join('ada', 'ben')
    assert.ok(ada && ben)
    await assert.rejects(ask(ada, 'update', { tracks: ['video'], muted: [] }), { code: 'invalid_request' })
    const offer = (sdp: unknown) => () =>
      calls.requireSignal(ada.call, ben.call, { description: { type: 'offer', sdp } })
    assert.throws(offer('v=0\r\nm=audio 9\r\nm=video 9\r\n'), { code: 'invalid_request' })
    // A browser converts a list to text, so a list could contain an offer of video.
    assert.throws(offer(['v=0\r\nm=video 9\r\n']), { code: 'invalid_request' })
    for (const sdp of ['v=0\r\nm=audio 9\r\n', null, undefined, { toString: null }, 5])
      assert.doesNotThrow(offer(sdp))
    assert.throws(() => calls.requireSignal(ada.call, undefined, {}), { code: 'not_found' })
  })

  test('TURN credentials are requested with a lifetime of one hour and cached, and a call works without TURN', async () => {
    const relay = { urls: ['turn:t:3478', 'turn:t:53?transport=udp'], username: 'u', credential: 'c' }
    const asked = mockProvider({ '/generate-ice-servers': { iceServers: [relay] } })
    const { ask, enter } = openRoom(TURN)
    const given = [await ask(enter('ada'), 'join'), await ask(enter('ben'), 'join')]
    for (const { iceServers } of given) assert.deepEqual(iceServers, [{ ...relay, urls: ['turn:t:3478'] }])
    assert.deepEqual(asked, [
      {
        method: 'POST',
        path: '/v1/turn/keys/key1/credentials/generate-ice-servers',
        secret: 'Bearer canary-turn',
        body: { ttl: 3600 },
      },
    ])
    restoreFetch()
    mockProvider({ '/generate-ice-servers': 500 })
    const other = openRoom(TURN)
    assert.match((await other.ask(other.enter('ada'), 'join')).iceServers[0]?.urls[0] ?? '', /^stun:/)
    assert.deepEqual(other.reports, ['Error: generate-ice-servers: 500 '])
  })

  test('a failure of the media server is reported as unavailable, and reveals neither its secret nor the request', async () => {
    mockProvider({ '/tracks/new': 401 })
    const { ask, join, reports } = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    const [ada] = await join('ada')
    assert.ok(ada)
    await ask(ada, 'session')
    await assert.rejects(ask(ada, 'publish', { sdp: 'canary-sdp', tracks: [{ mid: '0', track: 'audio' }] }), {
      code: 'unavailable',
    })
    assert.deepEqual(reports, ['Error: new: 401 '])
    restoreFetch()
    // The provider reports success for the request and an error for one of its tracks.
    const failed = { mid: '0', errorCode: 'internal_error' }
    mockProvider({ '/tracks/new': { sessionDescription: { sdp: 'theirs' }, tracks: [failed] } })
    await assert.rejects(ask(ada, 'publish', { sdp: '', tracks: [{ mid: '0', track: 'audio' }] }), {
      code: 'unavailable',
    })
    assert.equal(reports[1], 'Error: publish: internal_error')
  })

  test('a response of the media server that is not an object, or has no session id, is reported as unavailable', async () => {
    const { ask, join, reports } = openRoom({ ...SFU, CALL_MODE: 'sfu' })
    const [ada] = await join('ada')
    assert.ok(ada)
    for (const body of ['', 'null', '[]', '"s1"', '{}', '{"sessionId":7}']) {
      replaceFetch(async () => new Response(body, { status: 201 }))
      await assert.rejects(ask(ada, 'session'), { code: 'unavailable' }, body)
    }
    assert.equal(reports.length, 6)
  })
})
