import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Peer } from '@slipway/runtime/live/types.ts'
import { starterTree } from '../../source/tree.ts'
import { type Frame, openRoom, type TestSocket } from '../../testing/bundle-socket.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const USED = ['live', 'call']
const TREE = new Map([
  ...starterTree('Calls'),
  [
    'app.json',
    JSON.stringify({
      slipway: 1,
      name: 'Calls',
      uses: USED,
      pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
      rooms: [{ room: 'call', access: 'public' }],
    }),
  ],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
const VARIABLES = {
  LIVE_ALLOW_ANONYMOUS: 'on',
  CALL_MESH_MAX: '2',
  CALL_MAX_PEERS: '3',
  SFU_APP_ID: 'app1',
  SFU_SECRET: 'canary-sfu',
  TURN_KEY_ID: 'key1',
  TURN_KEY: 'canary-turn',
}

class Seen {
  readonly #socket: TestSocket
  me = ''

  private constructor(socket: TestSocket) {
    this.#socket = socket
  }

  static async enter(app: RunningApp, room: string, headers: Record<string, string> = {}): Promise<Seen> {
    const seen = new Seen(await openRoom(app, room, { headers }))
    seen.me = (await seen.next('room'))['me'] as string
    return seen
  }

  next(...types: string[]): Promise<Frame> {
    return this.#socket.next(...types)
  }

  /** Returns the response to a message about the call, or the code of a refusal. */
  async ask(kind: string, ask: object | null = null): Promise<unknown> {
    this.#socket.send({ type: 'call', ref: crypto.randomUUID(), kind, ask })
    const answer = await this.next('call', 'refused')
    return answer.type === 'call' ? answer['value'] : answer['code']
  }

  /** Waits until the peer is in the call with `tracks`. When `tracks` is null, waits until the peer has left the call. */
  async hears(peer: string, tracks: string[] | null): Promise<Peer | null> {
    for (;;) {
      const { put, left } = (await this.next('peers')) as unknown as { put: Peer[]; left: string[] }
      const found = put.find(({ id }) => id === peer)
      if (tracks === null && (left.includes(peer) || (found !== undefined && found.call === undefined)))
        return null
      if (tracks !== null && found?.call?.tracks.join() === tracks.join()) return found
    }
  }

  send(to: string, data: object): void {
    this.#socket.send({ type: 'rtc', to, data })
  }

  get closed(): Promise<number> {
    return this.#socket.closed
  }

  close(): void {
    this.#socket.close()
  }
}

describe('audio and video calls of a running app', () => {
  let app: RunningApp
  const asked: { path: string; secret: string | null }[] = []
  before(async () => {
    let sessions = 0
    app = await startApp(TREE, {
      enabled: USED,
      variables: VARIABLES,
      outbound: async ({ url, headers, body }) => {
        const { pathname } = new URL(url)
        asked.push({ path: pathname, secret: headers.get('authorization') })
        if (pathname.endsWith('generate-ice-servers'))
          return Response.json(
            { iceServers: [{ urls: ['turn:t:3478'], username: 'u', credential: 'c' }] },
            { status: 201 },
          )
        if (pathname.endsWith('sessions/new'))
          return Response.json({ sessionId: `s${++sessions}` }, { status: 201 })
        const { tracks } = JSON.parse(body) as { tracks?: object[] }
        const added = tracks?.map((track, at) => ({ mid: String(at), ...track }))
        return Response.json({ sessionDescription: { sdp: `answer ${body.length}` }, tracks: added })
      },
    })
  })
  after(() => app.stop())

  test('signaling messages of a call reach only the participant they name, and no page outside the call', async () => {
    const [ada, ben, eve] = await Promise.all(
      ['call/1', 'call/1', 'call/1'].map((room) => Seen.enter(app, room)),
    )
    assert.ok(ada && ben && eve)
    assert.deepEqual(await ada.ask('join'), {
      audioOnly: false,
      iceServers: [{ urls: ['turn:t:3478'], username: 'u', credential: 'c' }],
    })
    await ben.ask('join')
    await ada.ask('update', { tracks: ['audio', 'video'], muted: ['video'] })
    const shown = await ben.hears(ada.me, ['audio', 'video'])
    assert.deepEqual(shown?.call, { mode: 'mesh', tracks: ['audio', 'video'], muted: ['video'] })
    ada.send(ben.me, { candidate: { n: 1 } })
    assert.deepEqual(await ben.next('rtc'), { type: 'rtc', from: ada.me, data: { candidate: { n: 1 } } })
    // Eve is in the room and not in the call, so she can neither send messages to the call nor receive messages from it.
    eve.send(ada.me, { candidate: { n: 2 } })
    assert.equal((await eve.next('refused'))['code'], 'not_found')
    ada.send(eve.me, { candidate: { n: 3 } })
    assert.equal((await ada.next('refused'))['code'], 'not_found')
    ben.close()
    await ada.hears(ben.me, null)
    const back = await Seen.enter(app, 'call/1')
    await back.ask('join')
    await ada.hears(back.me, [])
    await back.ask('leave')
    await ada.hears(back.me, null)
    for (const one of [ada, eve, back]) one.close()
  })

  test('a third participant moves a call to the media server, a fourth is refused, and messages contain no session id or secret', async () => {
    const frames: Frame[] = []
    const watching = await openRoom(app, 'call/2', { onFrame: (frame) => frames.push(frame) })
    const pages: Seen[] = []
    for (let n = 0; n < 3; n++) {
      const page = await Seen.enter(app, 'call/2')
      await page.ask('join')
      pages.push(page)
    }
    const [ada, ben] = pages as [Seen, Seen]
    const late = await Seen.enter(app, 'call/2')
    assert.equal(await late.ask('join'), 'unavailable')
    for (const page of [ada, ben]) assert.equal(await page.ask('session'), null)
    const long = 'v'.repeat(100_000)
    const published = await ada.ask('publish', { sdp: long, tracks: [{ mid: '0', track: 'video' }] })
    assert.match((published as { sdp: string }).sdp, /^answer 100\d{3}$/)
    await ada.ask('update', { tracks: ['video'], muted: [] })
    assert.equal((await ben.hears(ada.me, ['video']))?.call?.mode, 'sfu')
    const pulled = await ben.ask('pull', { tracks: [{ peer: ada.me, track: 'video' }] })
    assert.deepEqual((pulled as { tracks: unknown }).tracks, [{ peer: ada.me, track: 'video', mid: '0' }])
    assert.equal(await ben.ask('pull', { tracks: [{ peer: late.me, track: 'video' }] }), 'not_found')
    assert.equal(await late.ask('close', { mids: ['0'] }), 'conflict')
    assert.equal(await ben.ask('close', { mids: ['0'] }), null)
    assert.match(asked.at(-1)?.path ?? '', /\/sessions\/s2\/tracks\/close$/)
    assert.doesNotMatch(JSON.stringify(frames), /canary|"s\d"|session/)
    assert.deepEqual(
      [...new Set(asked.map(({ secret }) => secret))],
      ['Bearer canary-turn', 'Bearer canary-sfu'],
    )
    for (const page of [...pages, late]) page.close()
    watching.close()
  })

  test('an oversized signaling message closes the connection, and a malformed one is refused', async () => {
    const page = await Seen.enter(app, 'call/3')
    assert.equal(await page.ask('update', { tracks: [], muted: [] }), 'conflict')
    await page.ask('join')
    assert.equal(await page.ask('update', { tracks: { length: 1 }, muted: [] }), 'invalid_request')
    page.send(page.me, { candidate: { text: 'x'.repeat(40_000) } })
    assert.equal(await page.closed, 1009)
  })
})

test('joining a call is refused while the call capability is off, even if a request header says the opposite', async () => {
  const app = await startApp(TREE, { enabled: ['live'], variables: VARIABLES })
  try {
    const page = await Seen.enter(app, 'call/1', { 'slipway-call': 'on' })
    assert.equal(await page.ask('join'), 'not_enabled')
    page.close()
  } finally {
    await app.stop()
  }
})
