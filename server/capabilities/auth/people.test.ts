import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

interface AppUser {
  id: string
  email: string
  role: string
  sessions: number
}

const text = { type: 'text', required: true, search: true }
const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data', 'files'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    board: { partition: 'app', read: 'members', write: 'owner', fields: { text } },
    diary: { partition: 'user', read: 'owner', write: 'owner', fields: { text } },
  },
}
const ROUTES = `import { auth, files } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/photo', async (c) => {
  const { id } = await auth.require(c.req.raw)
  return c.json(await files.put('pixels', { name: c.req.query('name') ?? '', type: 'text/plain', owner: id }))
})
`

/** The tests share one shipped app with two people and depend on their order. */
describe('the operator and the people of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let appUrl: string
  const cookies: Record<string, string> = {}
  const people: Record<string, string> = {}

  async function call(who: string, method: string, path: string, body?: unknown) {
    const answer = await cloudFetch(`${appUrl}${path}`, {
      method,
      headers: cookies[who] === undefined ? {} : { cookie: cookies[who] },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookies[who] = set.split(';')[0] ?? ''
    return (await answer.json()) as { ok: boolean; data: never; error?: { code: string } }
  }
  const add = (who: string, collection: string, words: string) =>
    call(who, 'POST', '/_app/data/mutate', {
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection, fields: { text: words } }],
    })
  const texts = async (who: string, path: string) =>
    (((await call(who, 'GET', path)).data as { items: { text: string }[] } | null)?.items ?? []).map(
      (row) => row.text,
    )
  const users = async () => (await operator.call<AppUser[]>(`GET ${at}/capabilities/auth/users`)).data

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Members')
    operator = made.person
    at = made.path
    for (const key of ['auth', 'data', 'files'])
      await operator.call(`PUT ${at}/capabilities/${key}`, { enabled: true })
    assert.equal((await operator.call(`GET ${at}/capabilities/auth/users`)).error?.code, 'not_enabled')
    const tree = new Map([
      ...starterTree('Members'),
      ['app.json', JSON.stringify(MANIFEST)],
      [
        'web/pages/Home.tsx',
        `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
      ],
      ['server/routes.ts', ROUTES],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    for (const name of ['ada', 'bob']) {
      const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
      const { data } = await call(name, 'POST', '/_app/auth/sign-up', account)
      people[name] = (data as { user: { id: string } }).user.id
    }
  })
  after(() => cloud.close())

  test("the operator's list of an app's users has each user's role and number of sessions, newest first", async () => {
    assert.deepEqual(
      (await users()).map(({ email, role, sessions }) => [email, role, sessions]),
      [
        ['bob@example.test', 'member', 1],
        ['ada@example.test', 'member', 1],
      ],
    )
  })

  test("an app's user can change other people's records exactly as long as the user has the staff role", async () => {
    leaves({ activity: { 'app_user.role': 2 } })
    await add('ada', 'board', 'from ada')
    const [row] = ((await call('bob', 'GET', '/_app/data/board')).data as { items: { id: string }[] }).items
    const change = () =>
      call('bob', 'POST', '/_app/data/mutate', {
        mutationId: crypto.randomUUID(),
        ops: [{ op: 'update', collection: 'board', id: row?.id, fields: { text: 'from ada, tidied' } }],
      })
    assert.equal((await change()).error?.code, 'forbidden')
    const setRole = (role: string) =>
      operator.call<AppUser>(`POST ${at}/capabilities/auth/users/${people['bob']}/role`, { role })
    assert.equal((await setRole('staff')).data.role, 'staff')
    assert.equal((await change()).ok, true)
    assert.equal((await setRole('member')).data.role, 'member')
    assert.equal((await change()).error?.code, 'forbidden')
    assert.equal((await setRole('owner')).error?.code, 'invalid_request')
  })

  test("an erased person is removed from every list, and the person's shared records are kept without the name", async () => {
    leaves({ activity: { 'app_outbox.read': 2, 'app_user.erase': 1 } })
    await add('ada', 'diary', 'a secret canary')
    assert.equal((await call('ada', 'POST', '/api/photo?name=me.png')) !== null, true)
    const read = async (path: string) =>
      JSON.stringify((await operator.call<object[]>(`GET ${at}/capabilities/${path}`)).data)
    await until(async () => (await read('data/records/diary')).includes('canary'))
    assert.equal((await call('ada', 'POST', '/_app/auth/verify', {})).ok, true)
    assert.ok((await read('auth/outbox')).includes('ada@example.test'))
    const erase = () => operator.call(`DELETE ${at}/capabilities/auth/users/${people['ada']}`)
    assert.notDeepEqual(cloud.findInCloud(['secret canary']), [])
    const { data: report } = await erase()
    assert.deepEqual(report, {
      userId: people['ada'],
      removed: {
        account: 1,
        sessions: 1,
        passkeys: 0,
        identities: 0,
        messages: 1,
        records: 1,
        searchEntries: 1,
        files: 1,
        fileBytes: 6,
        pushDevices: 0,
        meterCounts: 0,
        connectedCredentials: 0,
        timers: 0,
        entitlements: 0,
        subscriptionsCancelled: 0,
        videos: 0,
        teamInvitations: 0,
        teamMemberships: 0,
      },
      kept: { paidOrders: 0, sharedRecords: 1 },
    })
    assert.equal((await erase()).status, 404)
    const canaries = [people['ada']!, 'ada@example.test', 'secret canary', 'me.png']
    const places = () =>
      canaries.flatMap((word) => cloud.findInCloud([word]).map((place) => `${word} in ${place}`))
    // The local cloud responds before it has written the bucket's database to disk.
    await until(async () => places().length === 0).catch(() => {})
    assert.deepEqual(places(), [])
    assert.deepEqual(
      (await users()).map(({ id }) => id),
      [people['bob']],
    )
    for (const path of [
      'auth/users',
      'auth/outbox',
      'data/records/diary',
      'data/records/board',
      'files/objects',
    ]) {
      const shown = await read(path)
      for (const canary of canaries) assert.ok(!shown.includes(canary), `${path} shows ${canary}`)
    }
    assert.deepEqual(await texts('bob', '/_app/data/board'), ['from ada, tidied'])
    assert.equal((await call('ada', 'GET', '/_app/auth/me')).data, null)
    const signIn = { email: 'ada@example.test', password: 'ada likes apples' }
    assert.equal((await call('ada', 'POST', '/_app/auth/sign-in', signIn)).error?.code, 'unauthorized')
    // The email address can sign up again, and the new account has none of the former person's data.
    const account = { ...signIn, name: 'Ada' }
    const { data } = await call('ada', 'POST', '/_app/auth/sign-up', account)
    assert.notEqual((data as { user: { id: string } }).user.id, people['ada'])
    assert.deepEqual(await texts('ada', '/_app/data/diary'), [])
  })

  test('a request for an unknown person is a 404, and the activity log lists erasures and roles without email addresses', async () => {
    for (const id of ['nobody', `u_${'9'.repeat(26)}`, 'app', '../data']) {
      const path = `${at}/capabilities/auth/users/${encodeURIComponent(id)}`
      assert.equal((await operator.call(`DELETE ${path}`)).status, 404, id)
      assert.equal((await operator.call(`POST ${path}/role`, { role: 'staff' })).status, 404, id)
    }
    const { data } = await operator.call<{ items: { action: string; target: string }[] }>('GET /activity')
    const done = data.items.filter(({ action }) => action.startsWith('app_user.'))
    assert.deepEqual(
      done.map(({ action }) => action),
      ['app_user.erase', 'app_user.role', 'app_user.role'],
    )
    assert.ok(done.every(({ target }) => !target.includes('@')))
  })
})
