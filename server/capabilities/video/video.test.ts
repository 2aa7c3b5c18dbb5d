import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { mp4 } from '../../testing/apps/mp4.ts'
import { leaves } from '../../testing/effects.ts'

interface Spend {
  month: string
  used: number
  monthly: number
}
interface Removed {
  teardown: {
    remaining: number
    removed: { name: string }[]
    failed: { kind: string }[]
    left: { kind: string }[]
  }
}
interface Listed {
  id: string
  userId: string
  userName: string | null
  name: string
  status: string
  seconds: number | null
}

const MANIFEST = {
  slipway: 1,
  name: 'Trips',
  uses: ['auth', 'video'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = `import { video } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/watch/:id', async (c) => c.json(await video.playerUrl(c.req.param('id'))))
`
const TREE = new Map([
  ...starterTree('Trips'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
  ['server/routes.ts', ROUTES],
])

/** The tests share one shipped app with two people and depend on their order. */
describe('the videos of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let appUrl: string
  const cookies: Record<string, string> = {}
  const people: Record<string, string> = {}

  async function call<T>(who: string, line: string, body?: unknown) {
    const [method = '', path = ''] = line.split(' ')
    const answer = await cloudFetch(`${appUrl}${path}`, {
      method,
      headers: cookies[who] === undefined ? {} : { cookie: cookies[who] },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookies[who] = set.split(';')[0] ?? ''
    const json = (await answer.json()) as { data: T; error?: { code: string } }
    return { ...json, code: json.error?.code ?? null, headers: answer.headers, json }
  }
  const spend = async () => (await operator.call<Spend>(`GET ${at}/capabilities/video/spend`)).data
  const listed = async () => (await operator.call<Listed[]>(`GET ${at}/capabilities/video/videos`)).data
  const create = (who: string, body: object) =>
    call<{ id: string; uploadUrl: string }>(who, 'POST /_app/video/uploads', body)
  const read = async (who: string, id: string) => (await call<Listed>(who, `GET /_app/video/${id}`)).data
  async function upload(url: string, seconds: number) {
    const form = new FormData()
    form.set('file', new Blob([mp4(seconds)]), 'trip.mp4')
    return (await fetch(url, { method: 'POST', body: form })).status
  }
  const inStream = async () => {
    const account = await cloud.accountOf(operator.organizationId)
    return await account.call({
      method: 'GET',
      path: '/accounts/:account/stream',
      result: z.array(z.object({ creator: z.string().nullable(), meta: z.record(z.string(), z.unknown()) })),
      doing: 'list the videos',
    })
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Trips')
    operator = made.person
    at = made.path
    await operator.call(`PUT ${at}/capabilities/video`, { enabled: true, settings: { monthly: 12 } })
    const early = await operator.call(`GET ${at}/capabilities/video/spend`)
    assert.equal(early.error?.code, 'not_enabled', 'not deployed yet')
    await cloud.build(made.project.id, TREE)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    for (const name of ['ada', 'bob']) {
      const account = { email: `${name}@example.test`, password: `${name} likes trips`, name }
      const { data } = await call<{ user: { id: string } }>(name, 'POST /_app/auth/sign-up', account)
      people[name] = data.user.id
    }
  })
  after(() => cloud.close())

  let trip = ''

  test("the upload link of a video can be used once, and the video's actual length counts towards the monthly minutes", async () => {
    const { data } = await create('ada', { name: 'Trip', maxSeconds: 300 })
    trip = data.id
    assert.deepEqual([(await spend()).used, (await read('ada', trip)).status], [5, 'pending'])
    assert.equal(await upload(data.uploadUrl, 61), 200)
    assert.equal(await upload(data.uploadUrl, 61), 400, 'used before')
    await until(async () => (await read('ada', trip)).status === 'ready')
    assert.equal((await read('ada', trip)).seconds, 61)
    assert.deepEqual(await spend(), { month: new Date().toISOString().slice(0, 7), used: 2, monthly: 12 })
    assert.deepEqual(
      (await inStream()).map(({ creator, meta }) => [creator, meta['name'], meta['tier']]),
      [[people['ada'], 'Trip', 'production']],
    )
  })

  test('a video plays only through a player link that the app has created', async () => {
    const { data } = await call<{ url: string }>('ada', `GET /_app/video/${trip}/player`)
    assert.match(await (await fetch(data.url)).text(), /<video/)
    const watch = data.url.replace('/iframe', '/watch')
    assert.deepEqual(new Uint8Array(await (await fetch(watch)).arrayBuffer()), mp4(61))
    const token = new URL(data.url).pathname.split('/').at(-2) ?? ''
    for (const word of [trip, `${token}x`])
      assert.equal((await fetch(watch.replace(token, word))).status, 404)
    const { posterUrl } = (await read('ada', trip)) as Listed & { posterUrl: string }
    assert.equal((await fetch(posterUrl)).status, 200)
    const byServer = (await call('bob', `GET /api/watch/${trip}`)).json as unknown as { url: string }
    assert.equal((await fetch(byServer.url)).status, 200, 'server code decides who else may watch')
  })

  test("other people and visitors can neither see nor remove a person's video", async () => {
    for (const line of [
      `GET /_app/video/${trip}`,
      `GET /_app/video/${trip}/player`,
      `DELETE /_app/video/${trip}`,
    ]) {
      assert.equal((await call('bob', line)).code, 'not_found', line)
      assert.equal((await call('nobody', line)).code, 'unauthorized', line)
    }
    assert.deepEqual((await call<Listed[]>('bob', 'GET /_app/video')).data, [])
    assert.equal((await create('nobody', { name: 'Trip' })).code, 'unauthorized')
  })

  test('a video longer than announced ends in an error and releases its reserved minutes', async () => {
    const { data } = await create('bob', { name: 'Long', maxSeconds: 20 })
    assert.equal((await spend()).used, 3)
    assert.equal(await upload(data.uploadUrl, 90), 200)
    await until(async () => (await read('bob', data.id)).status === 'error')
    assert.equal((await spend()).used, 2)
  })

  test("a video that would exceed the app's monthly minutes or the limits of a person is refused", async () => {
    assert.equal((await create('bob', { name: 'Trip', maxSeconds: 601 })).code, 'invalid_request')
    assert.equal((await create('bob', { name: '' })).code, 'invalid_request')
    const all = await Promise.all(
      Array.from({ length: 4 }, () => create('bob', { name: 'Trip', maxSeconds: 240 })),
    )
    assert.deepEqual(all.map(({ code }) => code ?? 'ok').toSorted(), [
      'ok',
      'ok',
      'rate_limited',
      'rate_limited',
    ])
    const refused = all.find(({ code }) => code === 'rate_limited')
    assert.ok(Number(refused?.headers.get('retry-after')) > 0)
    assert.equal((await spend()).used, 10)
    for (const { data, code } of all) if (code === null) await call('bob', `DELETE /_app/video/${data.id}`)
    assert.equal((await spend()).used, 2, 'removed before they were used')
    const few = await Promise.all(
      Array.from({ length: 5 }, () => create('bob', { name: 'Trip', maxSeconds: 1 })),
    )
    assert.deepEqual([...new Set(few.map(({ code }) => code))], [null])
    assert.equal((await create('bob', { name: 'Trip', maxSeconds: 1 })).code, 'conflict')
  })

  test("the operator's list names the owner of each video, and erasing a person deletes their videos at Stream", async () => {
    leaves({ activity: { 'app_user.erase': 1 } })
    const counts = { ready: 0, error: 0, pending: 0 } as Record<string, number>
    for (const { status } of await listed()) counts[status] = (counts[status] ?? 0) + 1
    assert.deepEqual(counts, { ready: 1, error: 1, pending: 5 })
    const owners = new Set((await listed()).map(({ userId, userName }) => `${userId} ${userName}`))
    assert.deepEqual(owners, new Set(['ada', 'bob'].map((name) => `${people[name]} ${name}`)))
    const erased = await operator.call<{ removed: { videos: number } }>(
      `DELETE ${at}/capabilities/auth/users/${people['ada']}`,
    )
    assert.equal(erased.data.removed.videos, 1)
    assert.ok((await listed()).every(({ userId }) => userId === people['bob']))
    assert.ok((await inStream()).every(({ creator }) => creator === people['bob']))
  })

  test('deleting a project deletes only its own videos at Stream, and does not complete while Stream fails', async () => {
    leaves({
      events: { 'project.deleted': 1 },
      activity: {
        'project.deleted': 1,
        'video.create': 1,
        'video.remove': 6,
        'video.remove failed': 1,
        'worker.delete': 'some',
      },
    })
    const account = await cloud.accountOf(operator.organizationId)
    await account.call({
      method: 'POST',
      path: '/accounts/:account/stream/direct_upload',
      json: { maxDurationSeconds: 5, meta: { name: 'Of another app', project: 'prj_other' } },
      result: z.unknown(),
      doing: 'make a video',
      write: { action: 'video.create', target: 'another' },
    })
    const mine = (await inStream()).length - 1
    const faults = (method: string, body?: object) =>
      fetch(`${cloud.world.restUrl}/_control/faults`, {
        method,
        headers: { authorization: `Bearer ${cloud.world.controlToken}` },
        ...(body && { body: JSON.stringify(body) }),
      })
    const remove = async () => (await operator.call<Removed>(`DELETE ${at}`)).data.teardown
    const match = { provider: 'cloudflare', method: 'DELETE', path: '/stream/' }
    await faults('POST', { match: { ...match, times: 1000 }, do: { status: 500 } })
    const stuck = await remove()
    assert.deepEqual(
      [stuck.remaining, stuck.failed.map(({ kind }) => kind), (await inStream()).length],
      [1, ['videos'], mine + 1],
    )
    await faults('DELETE')
    const done = await remove()
    assert.deepEqual(
      [done.remaining, done.failed, done.removed.map(({ name }) => name)],
      [0, [], [`${mine} videos`]],
    )
    assert.deepEqual(
      (await inStream()).map(({ meta }) => meta['name']),
      ['Of another app'],
    )
  })

  test('deleting a project with leaveStuck completes even if Stream refuses to delete videos, which the activity log names', async () => {
    leaves({
      events: { 'project.created': 1, 'project.deleted': 1 },
      activity: {
        'project.deleted': 1,
        'resource.left': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.upload': 'some',
      },
      jobs: { provision: 'any' },
    })
    const other = await operator.call<{ id: string }>('POST /projects', { name: 'Films' })
    const path = `/projects/${other.data.id}`
    await operator.call(`PUT ${path}/capabilities/video`, { enabled: true })
    await until(async () => {
      const { data } = await operator.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    })
    await fetch(`${cloud.world.restUrl}/_control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify({
        match: { provider: 'cloudflare', method: 'GET', path: '/stream', times: 1000 },
        do: { status: 500 },
      }),
    })
    const { data } = await operator.call<Removed>(`DELETE ${path}`, { leaveStuck: true })
    assert.deepEqual([data.teardown.remaining, data.teardown.left.map(({ kind }) => kind)], [0, ['videos']])
  })
})
