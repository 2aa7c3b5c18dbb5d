import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { assertBecomes, launchBrowser } from '../browser.ts'

/**
 * Script of the test page: a stand-in for the media server (Cloudflare Realtime) that relays video, and three
 * participants of a video call that use the client code of apps. Like the real server, the stand-in refuses
 * requests of a participant who has not answered the last SDP offer that the server sent.
 */
const PAGE = `
const published = new Map()
const described = async (pc, description) => {
  await pc.setLocalDescription(description)
  while (pc.iceGatheringState !== 'complete')
    await new Promise((resolve) => pc.addEventListener('icegatheringstatechange', resolve, { once: true }))
  return pc.localDescription.sdp
}
class Session {
  constructor(name) {
    this.name = name
  }
  async ask(kind, given) {
    if (kind === 'session') {
      this.pc = new RTCPeerConnection()
      this.names = new Map()
      this.pc.ontrack = ({ track, transceiver }) => published.set(this.names.get(transceiver.mid), track)
      return null
    }
    if (kind !== 'answer' && this.pc.signalingState !== 'stable') throw new Error('An offer waits for its answer.')
    return await this[kind](given)
  }
  async publish({ sdp, tracks }) {
    for (const { mid, track } of tracks) this.names.set(mid, this.name + ' ' + track)
    await this.pc.setRemoteDescription({ type: 'offer', sdp })
    return { sdp: await described(this.pc, await this.pc.createAnswer()) }
  }
  async pull({ tracks }) {
    const added = tracks.flatMap((one) => {
      const track = published.get(one.peer + ' ' + one.track)
      return track === undefined ? [] : [{ ...one, sender: this.pc.addTransceiver(track, { direction: 'sendonly' }) }]
    })
    if (added.length === 0) {
      globalThis.misses++
      return { sdp: null, tracks: [] }
    }
    const sdp = await described(this.pc, await this.pc.createOffer())
    return { sdp, tracks: added.map(({ peer, track, sender }) => ({ peer, track, mid: sender.mid })) }
  }
  async answer({ sdp }) {
    await this.pc.setRemoteDescription({ type: 'answer', sdp })
    return null
  }
  async close({ mids }) {
    for (const mid of mids) published.delete(this.names.get(mid))
    return null
  }
}

const people = new Map()
globalThis.failures = []
globalThis.misses = 0
globalThis.enter = (name) => {
  const me = { tracks: new Map(), told: [], videos: new Map(), session: new Session(name) }
  me.sfu = new call.SfuTransport({
    room: { rtc: me.session },
    me: name,
    iceServers: () => [],
    local: () => ({ tracks: me.tracks }),
    members: () => [...people].filter(([id]) => id !== name).map(([id, { told }]) => ({ id, call: { tracks: told } })),
    arrived: (peer, kind, track) => {
      const srcObject = new MediaStream([track])
      const video = Object.assign(document.createElement('video'), { muted: true, srcObject })
      me.videos.set(peer, video)
      void video.play()
    },
    failed: (error) => failures.push(String(error)),
    lost: () => failures.push('lost'),
  })
  people.set(name, me)
  me.sfu.sync()
}
globalThis.tell = (name, told) => {
  people.get(name).told = told
  for (const { sfu } of people.values()) sfu.sync()
}
globalThis.turnCamera = async (name, isOn) => {
  const me = people.get(name)
  if (isOn) {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
    const context = canvas.getContext('2d')
    let hue = 0
    setInterval(() => {
      context.fillStyle = 'hsl(' + (hue += 40) + ' 90% 50%)'
      context.fillRect(0, 0, 64, 48)
    }, 50)
    me.tracks.set('video', canvas.captureStream(20).getVideoTracks()[0])
  } else me.tracks.delete('video')
  await me.sfu.local()
  tell(name, [...me.tracks.keys()])
}
globalThis.mediaOf = (name) => people.get(name).session.pc.remoteDescription.sdp.match(/^m=/gm).length
globalThis.framesOf = (name, peer) => people.get(name).videos.get(peer)?.getVideoPlaybackQuality().totalVideoFrames ?? 0
`

describe('a call through a media server', () => {
  let browser: Browser
  let page: Page
  before(async () => {
    const source = await readFile(new URL('../../../runtime/call/sfu.ts', import.meta.url), 'utf8')
    const { code } = await transform(source, { loader: 'ts', format: 'iife', globalName: 'call' })
    // By default WebRTC hides addresses behind .local names, which need a network. Show the addresses of this machine instead.
    browser = await launchBrowser(['--disable-features=WebRtcHideLocalIpsWithMdns'])
    page = await browser.newPage()
    await page.addScriptTag({ content: code + PAGE })
  })
  after(() => browser?.close())

  const enterCall = (name: string) => page.evaluate(`enter('${name}')`)
  const turnCamera = (name: string, isOn: boolean) => page.evaluate(`turnCamera('${name}', ${isOn})`)
  /** Waits until the video of a peer shows new frames. */
  async function assertFramesArrive(name: string, peer: string): Promise<void> {
    const countFrames = () => page.evaluate<number>(`framesOf('${name}', '${peer}')`)
    const before = await countFrames()
    await assertBecomes(async () => (await countFrames()) > before + 5, true)
  }

  test("a participant's video reaches the others, even those who join later, and continues after the camera was off", async () => {
    for (const name of ['Ada', 'Ben']) await enterCall(name)
    await page.evaluate(`tell('Ada', ['video'])`)
    await assertBecomes(() => page.evaluate<boolean>('misses > 0'), true)
    await Promise.all([turnCamera('Ada', true), turnCamera('Ben', true)])
    await assertFramesArrive('Ben', 'Ada')
    await assertFramesArrive('Ada', 'Ben')
    await enterCall('Cleo')
    await assertFramesArrive('Cleo', 'Ada')
    for (const isOn of [false, true, false, true, false, true]) await turnCamera('Ada', isOn)
    for (const name of ['Ben', 'Cleo']) await assertFramesArrive(name, 'Ada')
    // Switching the camera off and on must not add SDP media sections. Ada's connection has three: her camera
    // uses two alternately, and one is for Ben's video.
    assert.equal(await page.evaluate(`mediaOf('Ada')`), 3)
    assert.deepEqual(await page.evaluate('failures'), [])
  })
})
