import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { MediaServer } from './media-server.ts'

interface Item {
  uid: string
  name: string
  secret: string
  key: string
}
interface Answer {
  tracks: { mid?: string; trackName?: string; sessionId?: string; errorCode?: string }[]
  requiresImmediateRenegotiation: boolean
  sessionDescription?: { type: string; sdp: string }
}

/** An offer of a browser with these media sections: kind, `mid` and port. */
const offerOf = (...sections: [kind: 'audio' | 'video', mid: string, port?: number][]) => ({
  type: 'offer',
  sdp: [
    'v=0',
    's=-',
    ...sections.flatMap(([kind, mid, port = 9]) => [
      `m=${kind} ${port} UDP/TLS/RTP/SAVPF 96`,
      'a=ice-ufrag:secret',
      `a=mid:${mid}`,
      'a=sendonly',
      'a=rtcp-mux',
    ]),
    '',
  ].join('\r\n'),
})

describe('the media server of the local cloud', () => {
  let cloud: TestCloud
  let server: MediaServer
  let app: Item
  beforeEach(async () => {
    cloud = testCloud()
    server = new MediaServer(cloud.store)
    app = await createItem('apps')
  })
  afterEach(() => cloud.close())

  const createItem = async (kind: string) =>
    (await cloud.call('POST', `/A/calls/${kind}`, { name: kind })).result as Item
  const call = async (method: string, path: string, body?: unknown, { uid, secret } = app) => {
    const response = await server.answer(
      new Request(`https://rtc.live.cloudflare.com/v1/apps/${uid}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}` },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    return { status: response.status, body: (await response.json()) as Answer & { errorCode?: string } }
  }
  const failureOf = async (...args: Parameters<typeof call>) => {
    const { status, body } = await call(...args)
    return [status, body.errorCode]
  }
  const openSession = async (owner = app) =>
    ((await call('POST', '/sessions/new', undefined, owner)).body as unknown as { sessionId: string })
      .sessionId
  const addTracks = async (session: string, body: object) =>
    (await call('POST', `/sessions/${session}/tracks/new`, body)).body
  const publish = async (mid = '0', trackName = 'mic', kind: 'audio' | 'video' = 'audio') => {
    const session = await openSession()
    const tracks = [{ location: 'local', mid, trackName }]
    await addTracks(session, { sessionDescription: offerOf([kind, mid]), tracks })
    return session
  }
  const remote = (sessionId: string, trackName = 'mic') => ({ location: 'remote', sessionId, trackName })
  const readTracks = async (session: string) => (await call('GET', `/sessions/${session}`)).body.tracks
  /** Returns kind, `mid` and direction of each media section. */
  const sectionsOf = (sdp = '') =>
    sdp
      .split('m=')
      .slice(1)
      .map((part) => [
        part.split(' ')[0],
        /a=mid:(.*)\r/.exec(part)?.[1],
        /a=((?:send|recv)only|inactive)/.exec(part)?.[1],
      ])

  test("a media session is reached only with its own app's secret, and not after the app is deleted", async () => {
    const other = await createItem('apps')
    const turn = await createItem('turn_keys')
    const session = await openSession()
    const path = `/sessions/${session}`
    for (const secret of ['', 'wrong', other.secret, turn.key])
      assert.deepEqual(await failureOf('GET', path, undefined, { ...app, secret }), [401, 'unauthorized'])
    for (const [method, more, body] of [
      ['GET', '', undefined],
      ['POST', '/tracks/new', { tracks: [remote(session)] }],
      ['PUT', '/renegotiate', { sessionDescription: { type: 'answer' } }],
      ['PUT', '/tracks/close', { tracks: [] }],
    ] as const)
      assert.deepEqual(await failureOf(method, `${path}${more}`, body, other), [404, 'session_error'])
    assert.deepEqual(await readTracks(session), [])
    await cloud.call('DELETE', `/A/calls/apps/${app.uid}`)
    assert.deepEqual(await failureOf('GET', path), [401, 'unauthorized'])
  })

  test('publishing tracks returns an SDP answer with a recvonly section per track, and the session lists the tracks', async () => {
    const session = await openSession()
    const tracks = [
      { location: 'local', mid: '0', trackName: 'mic' },
      { location: 'local', mid: '1', trackName: 'cam' },
    ]
    const offer = offerOf(['audio', '0'], ['video', '1'])
    const answer = await addTracks(session, { sessionDescription: offer, tracks })
    assert.deepEqual(
      answer.tracks,
      tracks.map(({ mid, trackName }) => ({ mid, trackName })),
    )
    assert.deepEqual(
      [answer.requiresImmediateRenegotiation, answer.sessionDescription?.type],
      [false, 'answer'],
    )
    assert.deepEqual(sectionsOf(answer.sessionDescription?.sdp), [
      ['audio', '0', 'recvonly'],
      ['video', '1', 'recvonly'],
    ])
    assert.doesNotMatch(answer.sessionDescription?.sdp ?? '', /secret/)
    const shown = tracks.map((track) => ({ ...track, status: 'active', sessionId: session }))
    assert.deepEqual(await readTracks(session), shown)
  })

  test("pulling another session's track returns an SDP offer with a sendonly section, which can be answered once", async () => {
    const speaker = await publish('0', 'cam', 'video')
    const listener = await openSession()
    const answer = await addTracks(listener, { tracks: [remote(speaker, 'cam')] })
    assert.deepEqual(answer.tracks, [{ mid: '0', trackName: 'cam', sessionId: speaker }])
    assert.deepEqual(
      [answer.requiresImmediateRenegotiation, answer.sessionDescription?.type],
      [true, 'offer'],
    )
    assert.deepEqual(sectionsOf(answer.sessionDescription?.sdp), [['video', '0', 'sendonly']])
    const renegotiate = (type: string) =>
      call('PUT', `/sessions/${listener}/renegotiate`, { sessionDescription: { type, sdp: '' } })
    assert.deepEqual(
      [
        (await renegotiate('offer')).status,
        (await renegotiate('answer')).status,
        (await renegotiate('answer')).status,
      ],
      [400, 200, 400],
    )
  })

  test("a new SDP section gets a `mid` above the highest one, even when the browser's `mid` values have gaps", async () => {
    const speaker = await publish()
    const session = await openSession()
    const local = { location: 'local', mid: '5', trackName: 'mine' }
    await addTracks(session, { sessionDescription: offerOf(['audio', '5']), tracks: [local] })
    const first = await addTracks(session, { tracks: [remote(speaker)] })
    assert.equal(first.tracks[0]?.mid, '6')
    const rejected = offerOf(['audio', '5', 0], ['audio', '6'], ['video', '7'])
    const camera = { location: 'local', mid: '7', trackName: 'cam' }
    const answer = await addTracks(session, { sessionDescription: rejected, tracks: [camera] })
    assert.deepEqual(sectionsOf(answer.sessionDescription?.sdp), [
      ['audio', '5', 'inactive'],
      ['audio', '6', 'sendonly'],
      ['video', '7', 'recvonly'],
    ])
    assert.match(answer.sessionDescription?.sdp ?? '', /a=group:BUNDLE 6 7\r\n/)
  })

  test('only an open track that another session of the same app publishes can be pulled', async () => {
    const other = await createItem('apps')
    const foreign = await openSession(other)
    const tracks = [{ location: 'local', mid: '0', trackName: 'mic' }]
    await call(
      'POST',
      `/sessions/${foreign}/tracks/new`,
      { sessionDescription: offerOf(['audio', '0']), tracks },
      other,
    )
    const speaker = await publish()
    const relay = await openSession()
    await addTracks(relay, { tracks: [remote(speaker)] })
    const listener = await openSession()
    const answer = await addTracks(listener, {
      tracks: [remote(speaker, 'none'), remote('none'), remote(foreign), remote(relay)],
    })
    assert.deepEqual(
      answer.tracks.map(({ errorCode }) => errorCode),
      Array(4).fill('not_found_track_error'),
    )
    assert.deepEqual([answer.requiresImmediateRenegotiation, answer.sessionDescription], [false, undefined])
    await call('PUT', `/sessions/${speaker}/tracks/close`, { tracks: [{ mid: '0' }], force: true })
    const late = await addTracks(listener, { tracks: [remote(speaker)] })
    assert.equal(late.tracks[0]?.errorCode, 'not_found_track_error')
  })

  test('closing several media tracks fails only for the tracks that are unknown or already closed', async () => {
    const session = await publish()
    const close = async () =>
      (await call('PUT', `/sessions/${session}/tracks/close`, { tracks: [{ mid: '0' }, { mid: '9' }] })).body
    const unknown = {
      errorCode: 'close_track_error',
      errorDescription: 'Track does not exist or was already closed',
    }
    assert.deepEqual(await close(), {
      requiresImmediateRenegotiation: false,
      tracks: [{ mid: '0' }, { mid: '9', ...unknown }],
    })
    assert.deepEqual((await close()).tracks, [
      { mid: '0', ...unknown },
      { mid: '9', ...unknown },
    ])
    assert.deepEqual(await readTracks(session), [])
  })

  test('a media session request without tracks, with more than 64 tracks or with a malformed body is refused', async () => {
    const path = `/sessions/${await openSession()}`
    const tracks = (count: number) => Array.from({ length: count }, () => remote('none'))
    assert.equal((await call('POST', `${path}/tracks/new`, { tracks: tracks(64) })).status, 200)
    for (const body of [
      { tracks: tracks(65) },
      { tracks: [] },
      { tracks: [{ location: 'else' }] },
      {},
      'no json',
      '',
    ])
      assert.deepEqual(await failureOf('POST', `${path}/tracks/new`, body), [400, 'bad_request'])
    for (const body of [{}, { tracks: [{}] }, 'no json'])
      assert.deepEqual(await failureOf('PUT', `${path}/tracks/close`, body), [400, 'bad_request'])
  })

  test('opening a media session while a thousand are open ends the oldest one', async () => {
    const [first, second] = [await openSession(), await openSession()]
    for (let open = 2; open < 1000; open++) await openSession()
    assert.equal((await call('GET', `/sessions/${first}`)).status, 200)
    await openSession()
    assert.deepEqual(await failureOf('GET', `/sessions/${first}`), [404, 'session_error'])
    assert.equal((await call('GET', `/sessions/${second}`)).status, 200)
  })

  test('a TURN relay key returns credentials that are valid for 1 to 172,800 seconds', async () => {
    const turn = await createItem('turn_keys')
    const generate = async (ttl: unknown, key = turn.key, uid = turn.uid) => {
      const url = `https://rtc.live.cloudflare.com/v1/turn/keys/${uid}/credentials/generate-ice-servers`
      const headers = { authorization: `Bearer ${key}` }
      const response = await server.answer(
        new Request(url, { method: 'POST', headers, body: JSON.stringify({ ttl }) }),
      )
      const { iceServers, errorCode } = (await response.json()) as {
        iceServers?: object[]
        errorCode?: string
      }
      return [response.status, iceServers?.length ?? errorCode]
    }
    assert.deepEqual(
      [await generate(1), await generate(172_800)],
      [
        [201, 2],
        [201, 2],
      ],
    )
    for (const ttl of [0, 172_801, 1.5, '60', null])
      assert.deepEqual(await generate(ttl), [400, 'invalid_ttl'])
    assert.deepEqual(
      [await generate(60, 'wrong'), await generate(60, app.secret), await generate(60, app.secret, app.uid)],
      Array.from({ length: 3 }, () => [401, 'unauthorized']),
    )
  })
})
