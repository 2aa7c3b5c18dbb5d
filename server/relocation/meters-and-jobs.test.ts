import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../agent/source/tree.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { findQueue } from '../cloudflare/products/queues.ts'
import { until } from '../releases/testing.ts'
import { type MovesApp, openMovesApp } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Exports',
  uses: ['auth', 'data', 'meter', 'queue'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  meters: [{ key: 'exports', per: 'user', window: 'lifetime', limit: 10 }],
  queues: [{ name: 'export', handler: 'export' }],
}
const FILES = {
  'server/routes.ts': `import { auth, meter, queue } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/export', async (c) => {
  const { id } = await auth.require(c.req.raw)
  const { delaySeconds } = await c.req.json()
  await meter.require('exports', id, 3, { id: 'export of ' + id })
  return c.json(await queue.send('export', { id }, { delaySeconds }))
})
`,
  'server/jobs/export.ts': `import { meter } from '@slipway/app/server'

export default async ({ id }: { id: string }) => {
  await meter.consume('exports', id)
}
`,
  'web/pages/Home.tsx': `import { Page } from '@slipway/app/react'
export default () => <Page title="Home">Hello</Page>
`,
}

describe('moving an app with meters and a queue', () => {
  let it: MovesApp
  before(async () => {
    it = await openMovesApp()
  })
  after(() => it.close())

  test('moving an app to another account is refused until its queue is empty, and then copies the usage of each meter', async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'bucket.delete': 'some',
        'connection.reconnected': 1,
        'project.deployed': 3,
        'project.moved': 1,
        'queue.consume': 'some',
        'queue.create': 'some',
        'queue.delete': 'some',
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', 'leave-hosting': 1, preview: 'some', provision: 'some' },
    })
    const { person, project, path, from } = await it.liveProject('Exports')
    for (const key of ['meter', 'queue'])
      await person.call(`PUT ${path}/capabilities/${key}`, {
        enabled: true,
        ...(key === 'queue' && { settings: { maxWaitSeconds: 0 } }),
      })
    const tree = new Map([
      ...starterTree('Exports'),
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
    const left = async (at: string) => {
      const answer = await call(at, 'GET', '/_app/meter/exports', null, cookie)
      return ((await answer.json()) as { data: { remaining: number } }).data.remaining
    }
    const exported = await call(url ?? '', 'POST', '/api/export', { delaySeconds: 600 }, cookie)
    assert.equal(exported.status, 200)
    assert.equal(await left(url ?? ''), 7)

    const { token } = await it.realAccount()
    await it.paste(person, token)
    const refused = await it.ship(person, path)
    assert.equal(refused.status, 502)
    assert.match(refused.error?.message ?? '', /-jobs still holds 1 job\. Ship again when they are done\./)
    assert.equal(await left(url ?? ''), 7, 'it serves where it was')

    const former = { orgId: person.organizationId, actor: 'by hand', accountId: from }
    const account = await it.app.platform.accounts.openCloud(former)
    const queue = await findQueue(account, `${project.slug}-jobs`)
    await account.call({
      method: 'POST',
      path: `/accounts/:account/queues/${queue?.queue_id}/purge`,
      json: { delete_messages_permanently: true },
      doing: 'empty the queue',
      result: z.unknown(),
      write: null,
    })
    const shipped = await it.ship(person, path)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    const moved = shipped.data.url ?? ''
    assert.notEqual(moved, url)
    assert.equal(await left(moved), 7)
    // An export uses 3 units under an id, and its job uses 1 unit without an id. The use under the id was copied, so
    // repeating the export uses only the 1 unit of its job.
    assert.equal((await call(moved, 'POST', '/api/export', { delaySeconds: 0 }, cookie)).status, 200)
    await until(async () => (await left(moved)) === 6)
    await it.settled(person, path)
    assert.equal(await findQueue(account, `${project.slug}-jobs`), null)
  })
})
