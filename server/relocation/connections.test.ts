import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../agent/source/tree.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { type MovesApp, openMovesApp } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['auth', 'connect', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  providers: [{ id: 'club' }],
}
const FILES = {
  'server/routes.ts': `import { auth, connect } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/me', async (c) => {
  const answer = await connect.fetch((await auth.require(c.req.raw)).id, 'club', '/nothing')
  return c.json({ answered: answer.status })
})
`,
  'web/pages/Home.tsx': `import { Page } from '@slipway/app/react'
export default () => <Page title="Home">Hello</Page>
`,
}
/**
 * A service that returns 404 for every path. The app reports this 404 when it can decrypt the credential of the connected account. When
 * decryption fails, the app sends nothing to the service and returns 409.
 */
const CLUB = { id: 'club', kind: 'apiKey', apiBase: 'https://oauth.slipway.test/api' }

describe('moving an app whose users have connected accounts', () => {
  let it: MovesApp
  before(async () => {
    it = await openMovesApp()
  })
  after(() => it.close())

  test("moving an app to another cloud account copies its users' connected accounts with credentials that can be decrypted there", async () => {
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
    const { person, project, path } = await it.liveProject('Notes')
    await person.call(`PUT ${path}/capabilities/connect`, {
      enabled: true,
      settings: { providers: [CLUB] },
    })
    const tree = new Map([
      ...starterTree('Notes'),
      ['app.json', JSON.stringify(MANIFEST)],
      ...Object.entries(FILES),
    ])
    await it.build(project.id, tree)
    const { url } = (await it.ship(person, path)).data
    const call = async (at: string, method: string, route: string, body: object | null, cookie = '') => {
      const init = { method, headers: { cookie }, ...(body !== null && { body: JSON.stringify(body) }) }
      return await cloudFetch(`${at}${route}`, init)
    }
    const ada = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const signedUp = await call(url ?? '', 'POST', '/_app/auth/sign-up', ada)
    const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    const saved = await call(url ?? '', 'POST', '/_app/connect/club/key', { key: 'a-key' }, cookie)
    assert.equal(saved.status, 200)
    const connections = async (at: string) =>
      ((await (await call(at, 'GET', '/_app/connect', null, cookie)).json()) as { data: object[] }).data
    const before = await connections(url ?? '')
    assert.equal(before.length, 1)

    const { token } = await it.realAccount()
    await it.paste(person, token)
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.notEqual(moved, url)
    assert.deepEqual(await connections(moved), before)
    const used = await call(moved, 'GET', '/api/me', null, cookie)
    assert.deepEqual(await used.json(), { answered: 404 })
    await it.settled(person, path)
  })
})
