import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../../server/agent/testing/bundle.ts'
import { press, visitApp } from './visitors.ts'
import { assertBecomes, launchBrowser } from '../browser.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Calls',
  uses: ['live', 'call'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Call' }],
  rooms: [{ room: 'call', access: 'public' }],
}
const CALL = `import { Button, CallVideo, Page, useCall, useRoom } from '@slipway/app/react'

export default function Home() {
  const name = new URLSearchParams(location.search).get('name')
  const room = useRoom('call', 'main', { presence: { name } })
  const { call, error, isJoining, join, leave } = useCall(room)
  return (
    <Page title="Call">
      <p role="status">{error?.code ?? (isJoining ? 'joining' : (call?.status() ?? 'out'))}</p>
      {call === null ? (
        <Button onClick={() => void join({ video: { width: 160, height: 120, frameRate: 10 } })}>Join</Button>
      ) : (
        <>
          <Button onClick={leave}>Leave</Button>
          <Button onClick={() => call.mute('audio', !call.isMuted('audio'))}>Mute</Button>
          <Button onClick={() => void call.publish({ video: false })}>No camera</Button>
          <CallVideo stream={call.local()} muted label="Me" />
          {call.peers().map((peer) => {
            const { name } = (peer.presence ?? {}) as { name?: string }
            return (
              <section key={peer.id} aria-label={name}>
                <CallVideo stream={peer.stream} label={'Picture of ' + name} />
                <p>{peer.tracks.join(' ')}{peer.muted.length > 0 && ', muted ' + peer.muted.join(' ')}</p>
              </section>
            )
          })}
        </>
      )}
    </Page>
  )
}
`
/** Reads the size of a video and the number of its frames, as the browser counts them. */
const LOOK = `(label) => {
  const video = document.querySelector('video[aria-label="' + label + '"]')
  return video === null ? null : { width: video.videoWidth, frames: video.getVideoPlaybackQuality().totalVideoFrames }
}`
interface Look {
  width: number
  frames: number
}

describe('a call in three browsers', () => {
  let app: RunningApp
  let browser: Browser
  const tree = new Map([
    ...starterTree('Calls'),
    ['app.json', JSON.stringify(MANIFEST)],
    ['web/pages/Home.tsx', CALL],
  ])
  before(async () => {
    app = await startApp(tree, {
      enabled: ['live', 'call'],
      variables: { LIVE_ALLOW_ANONYMOUS: 'on', CALL_MESH_MAX: '3' },
    })
    browser = await launchBrowser([
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      // By default WebRTC hides addresses behind .local names, which need a network. Show the addresses of this machine instead.
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ])
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const waitForStatus = (page: Page, word: string) =>
    page.getByRole('status').getByText(word, { exact: true }).waitFor()
  async function openCallPage(name: string): Promise<Page> {
    const page = await visitApp(browser, app, `/?name=${name}`)
    await waitForStatus(page, 'out')
    return page
  }
  async function joinCall(name: string): Promise<Page> {
    const page = await openCallPage(name)
    await press(page, 'Join')
    await waitForStatus(page, 'live')
    return page
  }
  /** Waits until the video of a peer shows new frames. */
  async function assertPictureMoves(page: Page, name: string): Promise<void> {
    const readPicture = () => page.evaluate<Look | null>(`(${LOOK})('Picture of ${name}')`)
    await assertBecomes(async () => ((await readPicture())?.width ?? 0) > 0, true)
    const before = (await readPicture())?.frames ?? 0
    await assertBecomes(async () => ((await readPicture())?.frames ?? 0) > before + 5, true)
  }
  async function crashPage(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    // The command gets no response, because the page crashes.
    session.send('Page.crash').catch(() => {})
    await crashed
  }
  const readRegionText = (page: Page, name: string) =>
    page.getByRole('region', { name }).getByRole('paragraph').textContent()

  test("three people in an app's call see each other's video and mute state, and can return after a page crash", async () => {
    const chunks: string[] = []
    const ada = await openCallPage('Ada')
    ada.on('request', (request) => chunks.push(new URL(request.url()).pathname))
    await press(ada, 'Join')
    await waitForStatus(ada, 'live')
    assert.equal(
      chunks.filter((path) => path.startsWith('/assets/chunk-')).length,
      1,
      'loaded with the call only',
    )
    const ben = await joinCall('Ben')
    const cleo = await joinCall('Cleo')
    const pages = { Ada: ada, Ben: ben, Cleo: cleo }
    for (const [name, page] of Object.entries(pages))
      for (const other of Object.keys(pages)) if (other !== name) await assertPictureMoves(page, other)

    await press(ben, 'Mute')
    for (const page of [ada, cleo])
      await assertBecomes(() => readRegionText(page, 'Ben'), 'audio video, muted audio')
    await press(ben, 'No camera')
    await assertBecomes(() => readRegionText(ada, 'Ben'), 'audio, muted audio')

    // Without a media server this app allows three people in a call.
    const dora = await openCallPage('Dora')
    await press(dora, 'Join')
    await waitForStatus(dora, 'unavailable')

    await crashPage(cleo)
    for (const page of [ada, ben])
      await page.getByRole('region', { name: 'Cleo' }).waitFor({ state: 'detached' })
    const back = await joinCall('Cleo')
    for (const page of [ada, ben]) await assertPictureMoves(page, 'Cleo')
    await assertPictureMoves(back, 'Ada')

    await press(ada, 'Leave')
    for (const page of [ben, back])
      await page.getByRole('region', { name: 'Ada' }).waitFor({ state: 'detached' })
  })

  test('a page of an app that may not use the camera says so, and does not join the call', async () => {
    const page = await openCallPage('Eve')
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
    )
    await press(page, 'Join')
    await waitForStatus(page, 'forbidden')
    await page.context().close()
  })
})
