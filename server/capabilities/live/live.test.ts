import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { appSaying, type CloudApp, openCloudApp, until, wordAt } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { RoomPage } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Lobby',
  uses: ['live'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  rooms: [{ room: 'lobby', access: 'public' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const lobbySaying = (word: string) =>
  new Map([...appSaying(word), ['app.json', JSON.stringify(MANIFEST)], ['web/pages/Home.tsx', HOME]])

/** The tests share one project with a room for visitors and depend on their order. */
describe('live rooms of a deployed app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let projectId: string
  let url: string
  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Lobby')
    operator = made.person
    at = made.path
    projectId = made.project.id
    await save({})
    url = await ship('one')
  })
  after(() => cloud.close())

  const save = async (settings: object) => {
    const { error } = await operator.call(`PUT ${at}/capabilities/live`, { enabled: true, settings })
    assert.equal(error, undefined)
    await until(async () => {
      const { data } = await operator.call<{ provision: { state: string } }>(`GET ${at}/capabilities/live`)
      return data.provision.state === 'idle'
    })
  }
  async function ship(word: string): Promise<string> {
    await cloud.build(projectId, lobbySaying(word))
    const { data, error } = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(error, undefined)
    assert.equal(await wordAt(data.url), word)
    return data.url
  }
  const mayEnter = async (room: string) => {
    const answer = await cloudFetch(`${url}/_app/live/${room}`)
    return ((await answer.json()) as { error?: { code: string } }).error?.code ?? null
  }

  test('people who are not signed in can enter a live room once the operator allows it, up to the maximum number of peers', async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    assert.equal(await mayEnter('lobby/1'), 'unauthorized')
    await save({ allowAnonymous: true, maxPeers: 2 })
    await until(async () => (await mayEnter('lobby/1')) === null, 20_000)
    const pages = [await RoomPage.open(url, 'lobby/1'), await RoomPage.open(url, 'lobby/1')]
    assert.deepEqual(
      pages[1]?.peers.map(({ userId }) => userId),
      [null, null],
    )
    assert.equal(await mayEnter('lobby/1'), 'unavailable')
    for (const page of pages) await page.close()
  })

  test('during a deployment every page in a live room gets every message once and in order', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const pages = [await RoomPage.open(url, 'lobby/2'), await RoomPage.open(url, 'lobby/2')]
    const [one, two] = pages as [RoomPage, RoomPage]
    const saying = async (text: string) => {
      one.say(text)
      await until(async () => pages.every(({ heard }) => heard.at(-1) === text), 20_000)
    }
    await saying('before')
    url = await ship('two')
    await save({ maxPeers: 3 })
    await until(async () => one.entered > 1 && two.entered > 1, 30_000)
    await saying('after')
    for (const { heard } of pages) assert.deepEqual(heard, ['before', 'after'])
    for (const page of pages) await page.close()
  })

  test("entering a live room is refused while the live capability is off, and the room's messages are not deleted", async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await operator.call(`PUT ${at}/capabilities/live`, { enabled: false })
    await until(async () => (await mayEnter('lobby/2')) === 'not_enabled', 20_000)
    await save({})
    url = await ship('three')
    const page = await RoomPage.open(url, 'lobby/2')
    await until(async () => page.heard.length === 2)
    await page.close()
  })

  test('the readiness report warns that live rooms of an app without sign-in are closed to everyone until visitors are allowed', () => {
    const { lacks, settings } = capabilityOf('live')
    const closed = settings.parse({})
    assert.match(lacks(closed, MANIFEST).join(), /closed to everyone until visitors are allowed in/)
    assert.deepEqual(lacks(settings.parse({ allowAnonymous: true }), MANIFEST), [])
    assert.deepEqual(lacks(closed, { ...MANIFEST, uses: ['auth', 'live'] }), [])
    assert.deepEqual(lacks(closed, { ...MANIFEST, rooms: undefined }), [])
  })
})
