import { after, before, describe, test } from 'node:test'
import { href } from '../../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, press, signUpInApp } from './visitors.ts'
import { assertBecomes, assertSoundSizes, DESK, PHONE, type WatchedPage } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Trips',
  uses: ['auth', 'video'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Trips', access: 'members' }],
}
const HOME = `import { useState } from 'react'
import { Button, Page, video } from '@slipway/app/react'

export default () => {
  const [id, setId] = useState('')
  const [url, setUrl] = useState('')
  const upload = async (file: File) => setId((await video.upload(file, { name: 'Trip', maxSeconds: 60 })).id)
  const watch = async () => {
    const { status } = await video.get(id)
    if (status !== 'ready') return
    const player = await video.playerUrl(id)
    // A second press must not reload the player.
    setUrl((shown) => shown || player.url)
  }
  return (
    <Page title="Trips">
      <label>
        Video <input type="file" accept="video/*" onChange={({ target }) => target.files?.[0] && void upload(target.files[0])} />
      </label>
      {id === '' ? <p>No video yet</p> : <Button onClick={() => void watch()}>Watch</Button>}
      {url !== '' && <iframe src={url} title="Trip" />}
    </Page>
  )
}
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test("a person's video is ready some time after its upload", async () => {
  const ada = await app.signUp('Ada')
  const { id } = (await ada.post('/_app/video/uploads', { name: 'Trip' })).body.data
  expect((await ada.get('/_app/video/' + id)).body.data.status).toBe('pending')
  await app.clock.advance({ minutes: 1 })
  expect((await ada.get('/_app/video/' + id)).body.data.status).toBe('ready')
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'video' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('tests/trips.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Trips have a video.')], repeat: true },
]

/** A video element, declared here because this program has no DOM types. */
interface Player {
  play(): Promise<void>
  currentTime: number
}

/** Records half a second of a canvas and resolves with the bytes of the video. */
const RECORD = `new Promise((resolve) => {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  const timer = setInterval(() => pen.fillRect(Math.random() * 300, 0, 9, 150), 20)
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
  recorder.ondataavailable = async ({ data }) => resolve([...new Uint8Array(await data.arrayBuffer())])
  recorder.start()
  setTimeout(() => (clearInterval(timer), recorder.stop()), 500)
})`

describe('videos of an app, in the browser', () => {
  let world: BrowserWorld
  let visitor: WatchedPage
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Trips',
      title: 'Trips have a video',
      steps: STEPS,
    }))
    visitor = await world.open('nobody', { viewport: PHONE })
  })
  after(() => world?.close())

  test('a person uploads a video in an app, which then plays in the page', async () => {
    const { page } = visitor
    await page.goto(address)
    await signUpInApp(page, 'Ann')
    await page.getByText('No video yet').waitFor()
    await assertSoundApp(page, 'app-video')
    const buffer = Buffer.from(await page.evaluate<number[]>(RECORD))
    await page.getByLabel('Video').setInputFiles({ name: 'trip.webm', mimeType: 'video/webm', buffer })
    await page.getByRole('button', { name: 'Watch' }).waitFor()
    await assertBecomes(async () => {
      await press(page, 'Watch')
      return await page.locator('iframe').count()
    }, 1)
    const player = page.frameLocator('iframe').locator('video')
    await player.evaluate(async (video) => {
      Object.assign(video, { muted: true })
      await (video as unknown as Player).play()
    })
    await assertBecomes(() => player.evaluate((video) => (video as unknown as Player).currentTime > 0), true)
  })

  test('the console lists the video of an app and how many minutes of video are used', async () => {
    const desk = world.page
    await desk.goto(world.url + href.capability(projectId, 'video', { tab: 'live' }))
    await desk.getByText('1 of 100 minutes of video taken').waitFor()
    await desk.getByRole('row', { name: /Trip.*Ready/ }).waitFor()
    await assertSoundSizes(desk, 'video')
    visitor.assertQuiet()
    world.assertQuiet()
  })
})
