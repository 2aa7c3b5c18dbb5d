import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { onRestart } from '../data/client/page-store.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import type { BrowserAuth } from './client.ts'
import type { User } from './types.ts'

const RETRY_MS = 3000
const AUTH = '/_app/auth'
const userOf = (id: string, name = 'Ada'): User => ({
  id,
  name,
  email: 'ada@example.test',
  emailVerified: true,
  role: 'member',
  createdAt: '2026-11-20T10:30:00.000Z',
})
const [ADA, BEN] = [userOf('u_ada'), userOf('u_ben', 'Ben')]
const BUSY = { code: 'unavailable', message: 'The app is busy.' }
const OFF = { code: 'not_enabled', message: 'The capability auth is off.' }
const refused = (error: { code: string; message: string }) => ({ ok: false, error })

/** How often the page was told to reload its record lists. */
let restarts = 0
/** For each reload of the record lists, whether unconfirmed changes of the previous person were dropped. */
let dropped: boolean[] = []
onRestart((hasLeft) => {
  restarts++
  dropped.push(hasLeft)
})

/** Resolves once all pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('signing in and out in the browser', () => {
  let auth: BrowserAuth
  let loads = 0
  let requests: [line: string, body?: unknown][]
  /** Returns the answer to a request: the data of a response, a whole response with `ok`, or a promise of one of these. */
  let answer: (line: string) => unknown
  let shown: (string | null | undefined)[]

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    // The module remembers who is signed in, so each test loads it afresh.
    auth = ((await import(`./client.ts?page=${++loads}`)) as { auth: BrowserAuth }).auth
    requests = []
    shown = []
    restarts = 0
    dropped = []
    answer = () => null
    replaceFetch(async (path: string, { method = '', body }: RequestInit) => {
      const line = `${method} ${path}`
      requests.push(typeof body === 'string' ? [line, JSON.parse(body)] : [line])
      const data = await answer(line)
      const isWhole = typeof data === 'object' && data !== null && 'ok' in data
      return Response.json(isWhole ? data : { ok: true, data })
    })
  })
  afterEach(() => {
    mock.timers.reset()
    restoreFetch()
  })

  const follow = () =>
    auth.subscribe((user) => shown.push(user === undefined ? undefined : (user?.id ?? null)))
  const lines = () => requests.map(([line]) => line)

  describe('who is signed in', () => {
    test('a page requests the signed-in person once for all of its components', async () => {
      answer = () => ADA
      follow()
      follow()
      await settled()
      follow()
      assert.deepEqual(shown, [undefined, undefined, 'u_ada', 'u_ada', 'u_ada'])
      assert.deepEqual(lines(), [`GET ${AUTH}/me`])
    })

    test('a component that subscribes to the signed-in person gets null for a visitor, and no call after it unsubscribes', async () => {
      follow()()
      follow()
      await settled()
      assert.deepEqual(shown, [undefined, undefined, null])
    })

    test('in an app whose accounts are switched off, everyone is reported as a visitor', async () => {
      answer = () => refused(OFF)
      follow()
      await settled()
      assert.deepEqual([shown, restarts], [[undefined, null], 0])
    })

    test('while the app cannot be reached, a signed-in person is not shown as a visitor, and the page retries after three seconds', async () => {
      const answers = [refused(BUSY), refused(BUSY), ADA]
      answer = () => answers.shift()
      follow()
      await settled()
      assert.deepEqual(shown, [undefined])
      for (const ms of [RETRY_MS - 1, 1, RETRY_MS]) {
        mock.timers.tick(ms)
        await settled()
      }
      assert.deepEqual([shown, lines().length], [[undefined, 'u_ada'], 3])
    })

    for (const [what, act] of [
      ['signing in', () => auth.signIn({ email: ADA.email, password: 'apples' })],
      ['signing out', () => auth.signOut()],
    ] as const)
      test(`${what} reloads the record lists even if the page does not know yet who was signed in before`, async () => {
        answer = () => ({ user: ADA })
        await act()
        assert.equal(restarts, 1)
      })

    test('a failed request for the signed-in person is not retried on a page that does not show the person', async () => {
      answer = () => refused(BUSY)
      const stop = follow()
      await settled()
      stop()
      mock.timers.tick(RETRY_MS)
      await settled()
      assert.equal(lines().length, 1)
    })

    test('a slow answer from before a sign-in does not show the person as signed out', async () => {
      const { promise, resolve } = Promise.withResolvers<User | null>()
      answer = (line) => (line.startsWith('GET') ? promise : { user: ADA })
      follow()
      await auth.signIn({ email: ADA.email, password: 'apples' })
      resolve(null)
      await settled()
      assert.deepEqual(shown, [undefined, 'u_ada'])
    })

    test('a slow answer from before a sign-out does not show the person as signed in', async () => {
      const { promise, resolve } = Promise.withResolvers<User | null>()
      answer = (line) => (line.startsWith('GET') ? promise : null)
      const asked = auth.me()
      follow()
      await auth.signOut()
      resolve(ADA)
      assert.equal(await asked, null)
      assert.deepEqual(shown, [undefined, null])
    })

    test("a person's unconfirmed changes are dropped when the signed-in person changes, and a visitor's are kept", async () => {
      const answers: (User | null)[] = [null, ADA, BEN, null, ADA]
      for (const user of answers) {
        answer = () => user
        await auth.me()
      }
      assert.deepEqual(dropped, [false, true, true, false])
    })

    test('the record lists are reloaded when a person signs in or out, but not when the signed-in person signs in again', async () => {
      const answers: (User | null)[] = [null, ADA, userOf('u_ada', 'Ada L.'), BEN, null]
      const seen: number[] = []
      for (const user of answers) {
        answer = () => user
        await auth.me()
        seen.push(restarts)
      }
      assert.deepEqual(seen, [0, 1, 1, 2, 3])
    })
  })

  describe('requests', () => {
    const INVITED = { invite: 't_1.secret' }
    const SENT = { sent: true }
    const account = { email: ADA.email, password: 'apples', name: 'Ada' }

    test('after every kind of sign-up and sign-in the page shows the person, and the request has the given values', async () => {
      answer = (line) => (line.startsWith('GET') ? null : { user: ADA, more: 'x' })
      follow()
      await settled()
      assert.deepEqual(await auth.signUp({ ...account, ...INVITED, code: '123456' }), { user: ADA })
      assert.deepEqual(await auth.signIn({ email: ADA.email, password: 'apples' }), { user: ADA })
      assert.deepEqual(await auth.confirmCode(ADA.email, '123456', INVITED), { user: ADA })
      assert.deepEqual(await auth.confirmCode(ADA.email, '123456'), { user: ADA })
      assert.deepEqual(requests.slice(1), [
        [`POST ${AUTH}/sign-up`, { ...account, ...INVITED, code: '123456' }],
        [`POST ${AUTH}/sign-in`, { email: ADA.email, password: 'apples' }],
        [`POST ${AUTH}/code/confirm`, { email: ADA.email, code: '123456', ...INVITED }],
        [`POST ${AUTH}/code/confirm`, { email: ADA.email, code: '123456' }],
      ])
      assert.deepEqual(shown, [undefined, null, 'u_ada', 'u_ada', 'u_ada', 'u_ada'])
    })

    test('a failed sign-in leaves the currently signed-in person or visitor unchanged', async () => {
      answer = (line) => (line.startsWith('GET') ? ADA : refused(BUSY))
      follow()
      await settled()
      for (const attempt of [
        () => auth.signIn({ email: BEN.email, password: 'x' }),
        () => auth.signUp(account),
        () => auth.signOut(),
        () => auth.reset('token', 'pears'),
        () => auth.update({ name: 'x' }),
        () => auth.verify.confirm('1'),
        () => auth.passkeys.signIn(),
      ])
        await assert.rejects(attempt, { name: 'ApiError', ...BUSY })
      assert.deepEqual([shown, restarts], [[undefined, 'u_ada'], 0])
    })

    test('a page shows a changed name and a confirmed email address without reading the account again', async () => {
      const names: unknown[] = []
      const changed = userOf('u_ada', 'Ada L.')
      answer = () => changed
      auth.subscribe((user) => names.push(user?.name))
      assert.deepEqual(await auth.update({ name: 'Ada L.' }), changed)
      assert.deepEqual(await auth.verify.confirm('123 456'), changed)
      assert.deepEqual(names.slice(0, 3), [undefined, 'Ada L.', 'Ada L.'])
      assert.deepEqual(requests.slice(1), [
        [`PATCH ${AUTH}/me`, { name: 'Ada L.' }],
        [`POST ${AUTH}/verify/confirm`, { code: '123 456' }],
      ])
    })

    test('a late response to an account update shows neither an older name nor a person who has signed out in the meantime', async () => {
      const slow: PromiseWithResolvers<User>[] = []
      answer = (line) => {
        if (!line.startsWith('PATCH')) return null
        const next = Promise.withResolvers<User>()
        slow.push(next)
        return next.promise
      }
      const names: unknown[] = []
      auth.subscribe((user) => names.push(user?.name ?? null))
      await settled()
      const first = auth.update({ name: 'Old' })
      const second = auth.update({ name: 'New' })
      slow[1]?.resolve(userOf('u_ada', 'New'))
      await second
      slow[0]?.resolve(userOf('u_ada', 'Old'))
      assert.equal((await first).name, 'Old')
      assert.equal(names.at(-1), 'New')
      const third = auth.update({ name: 'Late' })
      await auth.signOut()
      slow[2]?.resolve(userOf('u_ada', 'Late'))
      await third
      assert.equal(names.at(-1), null)
    })

    test('a password change keeps the person signed in, a password reset signs the person out, and both reload the record lists', async () => {
      answer = () => ADA
      follow()
      await settled()
      await auth.changePassword({ current: 'apples', next: 'pears and plums' })
      assert.deepEqual([shown.at(-1), restarts], ['u_ada', 1])
      await auth.reset('token', 'pears and plums')
      assert.deepEqual([shown.at(-1), restarts], [null, 2])
      assert.deepEqual(requests.slice(1), [
        [`POST ${AUTH}/password`, { current: 'apples', next: 'pears and plums' }],
        [`POST ${AUTH}/reset/confirm`, { token: 'token', password: 'pears and plums' }],
      ])
    })

    test("the text of a sent mail is returned only if the app's response contains the text, as in a preview", async () => {
      answer = () => SENT
      assert.deepEqual(await auth.sendSignUp({ ...account, ...INVITED }), SENT)
      assert.deepEqual(await auth.sendCode(ADA.email, INVITED), SENT)
      assert.deepEqual(await auth.verify.send(), SENT)
      const mail = [
        { subject: 'A link', text: 'Open it.' },
        { subject: 'Another', text: 'x' },
      ]
      answer = () => ({ ok: true, data: SENT, preview: { mail } })
      assert.deepEqual(await auth.requestReset(ADA.email), { ...SENT, preview: mail[0] })
      answer = () => ({ ok: true, data: SENT, preview: { mail: [] } })
      assert.deepEqual(await auth.requestReset(ADA.email), SENT)
      assert.deepEqual(requests.slice(0, 4), [
        [`POST ${AUTH}/sign-up/code`, { ...account, ...INVITED }],
        [`POST ${AUTH}/code`, { email: ADA.email, ...INVITED }],
        [`POST ${AUTH}/verify`, {}],
        [`POST ${AUTH}/reset`, { email: ADA.email }],
      ])
    })

    test('session ids and passkey ids are escaped in the URL', async () => {
      answer = () => []
      assert.deepEqual(await auth.sessions.list(), [])
      assert.deepEqual(await auth.passkeys.list(), [])
      assert.equal(await auth.sessions.revoke('../me'), undefined)
      assert.equal(await auth.passkeys.remove('a/b?c'), undefined)
      await auth.settings()
      assert.deepEqual(lines(), [
        `GET ${AUTH}/sessions`,
        `GET ${AUTH}/passkeys`,
        `DELETE ${AUTH}/sessions/..%2Fme`,
        `DELETE ${AUTH}/passkeys/a%2Fb%3Fc`,
        `GET ${AUTH}/settings`,
      ])
    })

    test("a sign-in at a provider navigates to the provider's start route with the path to return to", () => {
      const { location } = globalThis
      const opened: string[] = []
      try {
        Object.assign(globalThis, { location: { assign: (path: string) => opened.push(path) } })
        auth.oauth('google')
        auth.oauth('a/b', { returnTo: '/teams?invite=t_1.x&y=1' })
      } finally {
        Object.assign(globalThis, { location })
      }
      assert.deepEqual(opened, [
        `${AUTH}/oauth/google/start?returnTo=%2F`,
        `${AUTH}/oauth/a%2Fb/start?returnTo=%2Fteams%3Finvite%3Dt_1.x%26y%3D1`,
      ])
    })
  })
})
