import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket, type TestSocket } from '../../testing/bundle-socket.ts'
import { starterTree } from '../../source/tree.ts'

interface AppResponse {
  status: number
  data: never
  error: { code: string; message: string; field?: string } | undefined
}

const collection = (partition: string, read?: string, write?: string) => ({
  partition,
  read,
  write,
  fields: { text: { type: 'text', required: true, search: true } },
})

const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    board: collection('app', 'members', 'members'),
    wishes: collection('app', 'owner', 'owner'),
    // A collection of the `user` partition without declared access: only the owner may read and write a record.
    diary: collection('user'),
    news: collection('app', 'public', 'staff'),
  },
}
/** A test in the app's own code, which signs up two people. */
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('people cannot read the private records of other people', async () => {
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  const wish = await ada.data.create('wishes', { text: 'a boat' })
  expect(wish.ownerId).toBe(ada.user.id)
  expect((await bob.data.list('wishes')).items).toEqual([])
  await expect(app.data.list('wishes')).toReject('unauthorized')
  await expect(bob.data.get('wishes', wish.id)).toReject('not_found')
  expect((await ada.get('/api/who')).body.name).toBe('Ada')
})

test("in an app's tests, only staff can write a staff-only collection, and system access can read and write every record", async () => {
  const [ada, eve] = [await app.signUp('Ada'), await app.signUp('Eve', { role: 'staff' })]
  const news = await eve.data.create('news', { text: 'open again' })
  await expect(ada.data.create('news', { text: 'closed' })).toReject('forbidden')
  expect((await eve.get('/api/staff')).body.role).toBe('staff')
  expect(await app.system.get('news', news.id)).toEqual(news)
  await app.system.of(ada.user.id).create('diary', { text: 'a secret' })
  expect((await ada.data.list('diary')).items[0].text).toBe('a secret')
  expect((await eve.data.list('diary')).items).toEqual([])
})
`
const ROUTES = `import { auth, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/who', async (c) => c.json(await auth.user(c.req.raw)))
routes.get('/staff', async (c) => c.json(await auth.require(c.req.raw, { role: 'staff' })))
routes.get('/diary/:user', async (c) => c.json(await data.system.of(c.req.param('user')).list('diary')))
routes.get('/mine', async (c) => c.json(await data.as(c.req.raw).list('diary')))
`

/** Keeps the cookie that the app sets, like a browser. */
class Browser {
  static #opened = 0
  readonly #app: () => RunningApp
  /** Each browser has its own address, because sign-ups are limited by address. */
  readonly #address = `198.51.100.${++Browser.#opened}`
  cookie: string | null = null

  constructor(app: () => RunningApp) {
    this.#app = app
  }

  async call(method: string, path: string, body?: unknown): Promise<AppResponse> {
    const response = await this.fetch(method, path, body)
    const { data, error } = (await response.json()) as { data: never; error?: AppResponse['error'] }
    return { status: response.status, data, error }
  }

  async fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await this.#app().fetch(path, {
      method,
      headers: {
        ...(this.cookie !== null && { cookie: this.cookie }),
        'user-agent': 'Test browser',
        'cf-connecting-ip': this.#address,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = set.includes('Max-Age=0') ? null : (set.split(';')[0] ?? null)
    return response
  }

  async signUp(name: string): Promise<{ id: string }> {
    const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
    const { status, data, error } = await this.call('POST', '/_app/auth/sign-up', account)
    assert.equal(status, 200, JSON.stringify(error))
    return (data as { user: { id: string } }).user
  }

  write(collection: string, op: object, extra: object = {}): Promise<AppResponse> {
    const ops = [{ collection, ...op }]
    return this.call('POST', '/_app/data/mutate', { mutationId: crypto.randomUUID(), ops, ...extra })
  }

  async add(collection: string, text: string): Promise<string> {
    const { status, data, error } = await this.write(collection, { op: 'create', fields: { text } })
    assert.equal(status, 200, JSON.stringify(error))
    return (data as { records: { id: string }[] }).records[0]!.id
  }

  async texts(collection: string): Promise<string[]> {
    const { status, data, error } = await this.call('GET', `/_app/data/${collection}`)
    assert.equal(status, 200, JSON.stringify(error))
    return (data as { items: { text: string }[] }).items.map(({ text }) => text)
  }
}

describe('the people of a running app', () => {
  let app: RunningApp
  const browser = () => new Browser(() => app)
  const tree = new Map([
    ...starterTree('Members'),
    ['app.json', JSON.stringify(MANIFEST)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
    ['server/routes.ts', ROUTES],
    ['tests/people.test.ts', TEST],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: ['auth', 'data'] })
  })
  after(() => app.stop())

  test('a signed-up person is identified to pages and server code, and gets the same account at the next sign-in', async () => {
    const ada = browser()
    const { id } = await ada.signUp('ada')
    const { data: me } = await ada.call('GET', '/_app/auth/me')
    assert.deepEqual(
      { ...(me as object), createdAt: '' },
      { id, email: 'ada@example.test', emailVerified: false, name: 'ada', role: 'member', createdAt: '' },
    )
    assert.equal(((await (await ada.fetch('GET', '/api/who')).json()) as { id: string }).id, id)
    assert.equal((await ada.call('GET', '/api/staff')).error?.code, 'forbidden')
    assert.equal((await ada.call('POST', '/_app/auth/sign-out', {})).status, 200)
    assert.equal(ada.cookie, null)
    assert.equal((await ada.call('GET', '/_app/auth/me')).data, null)
    const password = 'ada likes apples'
    const back = await ada.call('POST', '/_app/auth/sign-in', { email: ' ADA@example.test', password })
    assert.equal((back.data as { user: { id: string } }).user.id, id)
  })

  test('the session cookie of an app is HttpOnly, same-site and expires with the session', async () => {
    const response = await browser().fetch('POST', '/_app/auth/sign-up', {
      email: 'cookie@example.test',
      password: 'cookies for all',
      name: 'Cookie',
    })
    assert.match(
      response.headers.get('set-cookie') ?? '',
      /^app_session=u_\w{26}\.\w{16}\.\w{64}; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    )
    assert.doesNotMatch(JSON.stringify(await response.json()), /\.\w{64}/)
  })

  test("a request with a revoked, altered or forged session is treated as a visitor's request", async () => {
    const ben = browser()
    const { id } = await ben.signUp('ben')
    const other = browser()
    await other.call('POST', '/_app/auth/sign-in', {
      email: 'ben@example.test',
      password: 'ben likes apples',
    })
    const { data } = await other.call('GET', '/_app/auth/sessions')
    const sessions = data as { id: string; current: boolean; device: string }[]
    assert.deepEqual(sessions.map(({ current, device }) => [current, device]).sort(), [
      [false, 'Test browser'],
      [true, 'Test browser'],
    ])
    const old = sessions.find(({ current }) => !current)!
    assert.equal((await other.call('DELETE', `/_app/auth/sessions/${old.id}`)).status, 200)
    const stolen = ben.cookie!
    for (const cookie of [
      stolen,
      `${stolen.slice(0, -1)}0`,
      `app_session=${id}.${'0'.repeat(16)}.${'0'.repeat(64)}`,
    ]) {
      ben.cookie = cookie
      assert.equal((await ben.call('GET', '/_app/data/diary')).error?.code, 'unauthorized')
    }
    assert.equal((await other.call('GET', '/_app/auth/me')).status, 200)
  })

  test('an invalid sign-up names the wrong field, but a failed sign-in does not reveal whether the address has an account', async () => {
    const eve = browser()
    const signUp = async (change: object) => {
      const account = { email: 'eve@example.test', password: 'eve likes apples', name: 'Eve', ...change }
      return (await eve.call('POST', '/_app/auth/sign-up', account)).error
    }
    assert.equal((await signUp({ email: 'eve' }))?.field, 'email')
    assert.equal((await signUp({ password: 'short' }))?.field, 'password')
    assert.equal((await signUp({ name: ' ' }))?.field, 'name')
    assert.equal(await signUp({}), undefined)
    assert.deepEqual((await signUp({ email: 'EVE@example.test' }))?.code, 'conflict')
    const signIn = (email: string) =>
      browser().call('POST', '/_app/auth/sign-in', { email, password: 'guessed wrong' })
    const [known, unknown] = [await signIn('eve@example.test'), await signIn('nobody@example.test')]
    assert.deepEqual([known.status, known.error], [401, unknown.error])
  })

  test('wrong passwords rate-limit an e-mail address whether or not it has an account', async () => {
    await browser().signUp('slow')
    for (const email of ['slow@example.test', 'never@example.test']) {
      const tries = await Promise.all(
        Array.from({ length: 12 }, () =>
          browser().call('POST', '/_app/auth/sign-in', { email, password: 'guessed wrong' }),
        ),
      )
      const refused = tries.filter(({ status }) => status === 429)
      assert.ok(refused.length > 0 && refused.length <= 7, tries.map(({ status }) => status).join())
      assert.match(refused[0]?.error?.message ?? '', /^Too many attempts\. Try again in \d+ s\.$/)
    }
  })

  test('sign-in attempts from one network for many different e-mail addresses are refused after the twentieth', async () => {
    const guesser = browser()
    const tries = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        guesser.call('POST', '/_app/auth/sign-in', {
          email: `guess${n}@example.test`,
          password: 'guessed wrong',
        }),
      ),
    )
    const codes = tries.map(({ status }) => status).sort()
    assert.deepEqual(codes, [...Array<number>(20).fill(401), ...Array<number>(5).fill(429)])
  })

  test("after a role change, the person's next request gets a new session id, and only the new id counts as a session", async () => {
    const ada = browser()
    const { id } = await ada.signUp('appointed')
    const sessions = async () =>
      (await app.operate<{ sessions: number }>('setRole', 'production', id, 'staff')).sessions
    const planted = ada.cookie
    assert.equal(await sessions(), 1)
    assert.equal((await ada.call('GET', '/_app/auth/me')).status, 200)
    const renewed = ada.cookie
    assert.ok(renewed !== null && renewed !== planted)
    assert.equal(await sessions(), 1)
    // A further request keeps the session id, because the role has not changed again.
    await ada.call('GET', '/_app/auth/me')
    assert.equal(ada.cookie, renewed)
    assert.equal((await ada.call('GET', '/api/staff')).status, 200)
  })

  test('changing the password ends every other session of the person', async () => {
    const pat = browser()
    await pat.signUp('pat')
    const other = browser()
    await other.call('POST', '/_app/auth/sign-in', {
      email: 'pat@example.test',
      password: 'pat likes apples',
    })
    const change = { current: 'wrong', next: 'pat likes pears' }
    assert.equal((await pat.call('POST', '/_app/auth/password', change)).error?.field, 'current')
    const done = await pat.call('POST', '/_app/auth/password', { ...change, current: 'pat likes apples' })
    assert.equal(done.status, 200)
    assert.equal((await pat.call('GET', '/_app/auth/me')).data === null, false)
    assert.equal((await other.call('GET', '/_app/auth/me')).data, null)
  })

  test('members share a collection, but records with access `owner` and private collections are visible to their owner only', async () => {
    const [cat, dan] = [browser(), browser()]
    const { id: catId } = await cat.signUp('cat')
    const { id: danId } = await dan.signUp('dan')
    const visitor = browser()
    for (const name of ['board', 'wishes', 'diary'])
      assert.equal((await visitor.call('GET', `/_app/data/${name}`)).error?.code, 'unauthorized', name)
    assert.deepEqual(await visitor.texts('news'), [])

    await cat.add('board', 'from cat')
    assert.deepEqual(await dan.texts('board'), ['from cat'])
    const wish = await cat.add('wishes', 'a boat')
    assert.deepEqual([await cat.texts('wishes'), await dan.texts('wishes')], [['a boat'], []])
    assert.equal((await dan.call('GET', `/_app/data/wishes/${wish}`)).status, 404)
    assert.equal((await dan.write('wishes', { op: 'remove', id: wish })).status, 404)
    assert.equal((await dan.write('news', { op: 'create', fields: { text: 'x' } })).error?.code, 'forbidden')

    await cat.add('diary', 'dear diary')
    assert.deepEqual([await cat.texts('diary'), await dan.texts('diary')], [['dear diary'], []])
    assert.deepEqual(await dan.texts(`diary?partition=${catId}`), [])
    const forCat = await dan.write(
      'diary',
      { op: 'create', fields: { text: 'not yours' } },
      { partition: catId },
    )
    assert.equal(forCat.error?.code, 'forbidden')
    const madeUp = `u_${'9'.repeat(26)}`
    assert.equal((await dan.call('GET', `/_app/data/diary?partition=${madeUp}`)).status, 404)
    const read = async (from: Browser, path: string) =>
      ((await (await from.fetch('GET', path)).json()) as { items: { text: string }[] }).items.map(
        ({ text }) => text,
      )
    assert.deepEqual(await read(visitor, `/api/diary/${catId}`), ['dear diary'])
    assert.deepEqual(await read(dan, '/api/mine'), [])
    assert.deepEqual(await read(visitor, `/api/diary/${danId}`), [])
  })

  test("a search of an app's records returns only records that the caller may read", async () => {
    const [gus, hal] = [browser(), browser()]
    await gus.signUp('gus')
    await hal.signUp('hal')
    for (const name of ['wishes', 'diary']) {
      await gus.add(name, 'a purple kite')
      const search = async (who: Browser) =>
        ((await who.call('GET', `/_app/data/search?collection=${name}&q=purple`)).data as object[]).length
      for (let n = 0; n < 100 && (await search(gus)) === 0; n++);
      assert.deepEqual([await search(gus), await search(hal)], [1, 0], name)
    }
  })

  test('a WebSocket delivers only records that the person may read, and closes when the session ends', async () => {
    const [jo, kim] = [browser(), browser()]
    const { id: joId } = await jo.signUp('jo')
    await kim.signUp('kim')
    const collections = ['board', 'wishes', 'diary']
    const open = (who: Browser, partition: string) =>
      openSocket(app, { collections, partition, cookie: who.cookie ?? '' })
    const [shared, own, other, visitor] = await Promise.all([
      open(jo, 'app'),
      open(jo, 'own'),
      open(kim, 'app'),
      openSocket(app, { collections }),
    ])
    const users = await Promise.all(
      [shared, own, other, visitor].map(async (one) => (await one.next('hello'))['user']),
    )
    assert.deepEqual([users[0], users[1], users[3]], [joId, joId, null])
    await jo.add('wishes', 'a kite')
    await jo.add('diary', 'about today')
    await jo.add('board', 'for all')
    const next = async (socket: TestSocket) =>
      ((await socket.next('ops'))['ops'] as { record: { text: string } }[]).map(({ record }) => record.text)
    // `wishes` is readable by the owner only, so the other person receives the record of `board` alone.
    assert.deepEqual(
      [await next(shared), await next(own), await next(other)],
      [['a kite'], ['about today'], ['for all']],
    )
    await jo.call('POST', '/_app/auth/sign-out', {})
    for (const socket of [shared, own]) {
      await socket.next('ended')
      socket.close()
    }
    await kim.add('board', 'still there')
    assert.deepEqual(await next(other), ['still there'])
    for (const socket of [other, visitor]) socket.close()
    await assert.rejects(openSocket(app, { collections, partition: 'own' }))
    await assert.rejects(
      openSocket(app, { collections, partition: `u_${'9'.repeat(26)}`, cookie: kim.cookie ?? '' }),
    )
  })

  test('the tests inside a generated app can sign in several people', async () => {
    const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: string | null }[]
    assert.deepEqual(
      results.map(({ ok, error }) => [ok, error]),
      [
        [true, null],
        [true, null],
      ],
    )
  })

  test('accounts and records are still there after the next release of an app', async () => {
    const ida = browser()
    await ida.signUp('ida')
    await ida.add('diary', 'before')
    await app.ship(new Map([...tree, ['server/routes.ts', `${ROUTES}\n// A later release.\n`]]))
    assert.deepEqual(await ida.texts('diary'), ['before'])
  })
})
