import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import { meRoutes } from '../me/me.routes.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { cookieOf, type MinimalApp, openMinimalApp, PASSWORD } from '../testing/apps/minimal-app.ts'

describe('the cookies of the auth library', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  describe('over https', () => {
    const origin = 'https://slipway.test'
    let app: MinimalApp
    before(() => {
      app = openMinimalApp(database, meRoutes, { baseUrl: origin })
    })
    after(() => app.auth.close())

    const sendWithCookie = (path: string, cookie: string, body?: object) =>
      app.request(`/api/auth/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { origin, cookie, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })

    test('over https the session, second-factor, trusted-device and passkey cookies have the `__Host-` prefix in their names', async () => {
      const person = { name: 'Ada', email: 'ada@acme.test', password: PASSWORD }
      const signUp = await sendWithCookie('sign-up/email', '', person)
      const enable = await sendWithCookie('two-factor/enable', cookieOf(signUp), { password: PASSWORD })
      const totp = URI.parse(((await enable.json()) as { totpURI: string }).totpURI) as TOTP
      const code = totp.generate({ timestamp: Date.now() - 30_000 })
      const confirm = await sendWithCookie('two-factor/verify-totp', cookieOf(signUp), { code })
      const signIn = await sendWithCookie('sign-in/email', '', { email: person.email, password: PASSWORD })
      const second = { code: totp.generate(), trustDevice: true }
      const entered = await sendWithCookie('two-factor/verify-totp', cookieOf(signIn), second)
      const passkey = await sendWithCookie('passkey/generate-authenticate-options', '')
      const signOut = await sendWithCookie('sign-out', cookieOf(entered), {})
      const answers = [signUp, confirm, signIn, entered, passkey, signOut]
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200),
      )
      const set = answers.flatMap((answer) => answer.headers.getSetCookie())
      const names = new Set(set.map((text) => text.split('=')[0]))
      for (const part of [
        'session_token',
        'session_data',
        'two_factor',
        'trust_device',
        'better-auth-passkey',
      ])
        assert.ok(names.has(`__Host-slipway.${part}`), `${part} in ${[...names].join(' ')}`)
      for (const text of set) {
        assert.match(text, /^__Host-slipway\./)
        assert.match(text, /; Path=\/;/)
        assert.match(text, /; Secure/)
        assert.match(text, /; HttpOnly/)
        assert.doesNotMatch(text, /; Domain/i)
      }
    })

    test('over https, auth cookies without the `__Host-` prefix, which another subdomain could set, are ignored by the service and the auth library', async () => {
      const person = { name: 'Eve', email: 'eve@acme.test', password: PASSWORD }
      const cookie = cookieOf(await sendWithCookie('sign-up/email', '', person))
      const open = await app.request('/api/v1/me', { headers: { cookie } })
      assert.equal(open.status, 200)
      for (const prefix of ['', '__Secure-']) {
        const planted = cookie.replaceAll('__Host-', prefix)
        assert.equal((await app.request('/api/v1/me', { headers: { cookie: planted } })).status, 401)
        assert.equal(await (await sendWithCookie('get-session', planted)).text(), 'null')
      }
    })
  })

  test('a session that has ended can remove no passkey, although its cookies contain a copy that is valid for a minute', async () => {
    const app = openMinimalApp(database, meRoutes)
    const { email, userId } = await app.signUp('Ada Ended')
    const signIn = await app.send('POST', '/api/auth/sign-in/email', {}, { email, password: PASSWORD })
    const cookie = cookieOf(signIn)
    assert.match(cookie, /session_data=/)
    const passkey = {
      id: 'passkey-1',
      name: null,
      publicKey: 'key',
      userId,
      credentialID: 'credential-1',
      counter: 0,
      deviceType: 'singleDevice',
      backedUp: false,
      transports: null,
      createdAt: new Date(),
      aaguid: null,
    }
    await database.db.insertInto('passkey').values(passkey).execute()
    await database.db.deleteFrom('session').where('userId', '=', userId).execute()
    const answer = await app.send('POST', '/api/auth/passkey/delete-passkey', { cookie }, { id: passkey.id })
    const left = await database.db.selectFrom('passkey').select('id').where('userId', '=', userId).execute()
    assert.deepEqual([answer.status, left], [401, [{ id: passkey.id }]])
    await app.auth.close()
  })

  test('over http the auth library finds the valid session cookie after a broken session cookie that was set first', async () => {
    const app = openMinimalApp(database, meRoutes)
    const ada = await app.signUp('Ada Http')
    const [own = ''] = ada.cookie.split('; ')
    for (const planted of ['x.y', '', '%E0%A4%A']) {
      const cookie = `slipway.session_token=${planted}; ${own}`
      const answer = await app.send('GET', '/api/auth/get-session', { cookie })
      const { user } = (await answer.json()) as { user: { id: string } }
      assert.equal(user.id, ada.userId)
    }
    await app.auth.close()
  })
})
