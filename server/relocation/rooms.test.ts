import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../agent/source/tree.ts'
import { RoomPage } from '../capabilities/live/testing.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { until } from '../releases/testing.ts'
import { type MovesApp, openMovesApp } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Rooms',
  uses: ['auth', 'live'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  rooms: [{ room: 'doc', access: 'members' }],
}
const FILES = {
  'app.json': JSON.stringify(MANIFEST),
  'server/routes.ts': `import { live } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/say/:id', async (c) => {
  await live.broadcast('doc', c.req.param('id'), 'say', await c.req.json())
  return c.json({})
})
`,
  'web/pages/Home.tsx': `import { Page } from '@slipway/app/react'
export default () => <Page title="Home">Hello</Page>
`,
}

describe('moving an app with live rooms', () => {
  let it: MovesApp
  before(async () => {
    it = await openMovesApp()
  })
  after(() => it.close())

  test('moving an app to another cloud account copies the state of its real-time rooms', async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'bucket.delete': 'some',
        'connection.reconnected': 1,
        'project.deployed': 3,
        'project.moved': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', 'leave-hosting': 1, preview: 'some', provision: 'some' },
    })
    const { person, project, path } = await it.liveProject('Rooms')
    await person.call(`PUT ${path}/capabilities/live`, { enabled: true })
    await it.build(project.id, new Map([...starterTree('Rooms'), ...Object.entries(FILES)]))
    const { url } = (await it.ship(person, path)).data
    const say = async (at: string, id: string, text: string) => {
      const answer = await cloudFetch(`${at}/api/say/${id}`, {
        method: 'POST',
        body: JSON.stringify({ text }),
      })
      return answer.status
    }
    for (const id of ['1', 'a-long.id_2']) assert.equal(await say(url ?? '', id, `in ${id}`), 200)

    const { token } = await it.realAccount()
    await it.paste(person, token)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.notEqual(moved, url)
    const ada = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const signedUp = await cloudFetch(`${moved}/_app/auth/sign-up`, {
      method: 'POST',
      body: JSON.stringify(ada),
    })
    const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    for (const id of ['1', 'a-long.id_2']) {
      const page = await RoomPage.open(moved, `doc/${id}`, cookie)
      await until(async () => page.heard.length > 0)
      assert.equal(await say(moved, id, 'later'), 200)
      await until(async () => page.heard.length > 1)
      assert.deepEqual(page.heard, [{ text: `in ${id}` }, { text: 'later' }])
      await page.close()
    }
    await it.settled(person, path)
  })
})
