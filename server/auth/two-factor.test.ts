import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import type { Database } from '../db/database.ts'
import { keyRoutes } from '../keys/keys.routes.ts'
import { meRoutes } from '../me/me.routes.ts'
import { securityRoutes } from '../security/security.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { cookieOf, type MinimalApp, openMinimalApp, PASSWORD } from '../testing/apps/minimal-app.ts'

describe('two-factor authentication', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  let people = 0
  let ada: Awaited<ReturnType<MinimalApp['signUp']>>
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [...meRoutes, ...securityRoutes, ...keyRoutes])
  })
  beforeEach(async () => {
    ada = await app.signUp(`Ada ${++people}`)
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  const postAuth = (path: string, cookie: string, body: object) =>
    app.send('POST', `/api/auth/${path}`, { cookie }, body)
  const signIn = (email: string) => postAuth('sign-in/email', '', { email, password: PASSWORD })
  const outcomeOfMe = async (as: { cookie?: string; key?: string }) => {
    const answer = await app.send('GET', '/api/v1/me', as)
    return ((await answer.json()) as { error?: { code: string } }).error?.code ?? 'in'
  }
  /** Sets up a second factor. Returns the session that replaced the given one. */
  const enrolTotp = async (cookie: string) => {
    const enable = await postAuth('two-factor/enable', cookie, { password: PASSWORD })
    assert.equal(enable.status, 200, await enable.clone().text())
    const { totpURI, backupCodes } = (await enable.json()) as { totpURI: string; backupCodes: string[] }
    const totp = URI.parse(totpURI) as TOTP
    // Uses the code of the previous time step, so that the current code is still unused. When a step ends
    // just then, the previous code is refused, so a second attempt is made.
    const verifyEarlierCode = () => postAuth('two-factor/verify-totp', cookie, { code: codeOf(totp, -1) })
    const first = await verifyEarlierCode()
    const confirm = first.status === 200 ? first : await verifyEarlierCode()
    assert.equal(confirm.status, 200, await confirm.clone().text())
    return { cookie: cookieOf(confirm), totp, backupCodes }
  }
  const codeOf = (totp: TOTP, steps: number) =>
    totp.generate({ timestamp: Date.now() + steps * totp.period * 1000 })
  /** Signs in with a password and this code. Returns the response to the code. */
  const enterWith = async (code: string, { cookie = '', trustDevice = false } = {}) => {
    const first = await postAuth('sign-in/email', cookie, { email: ada.email, password: PASSWORD })
    return postAuth('two-factor/verify-totp', cookieOf(first), { code, trustDevice })
  }
  const codeIn = async (answer: Response) => ((await answer.json()) as { code?: string }).code
  const sessionsOf = async (userId: string) =>
    (await database.db.selectFrom('session').select('id').where('userId', '=', userId).execute()).length
  const requireIt = async () => {
    const policy = { requireSso: false, requireTwoFactor: true, sessionLifetimeDays: null, allowedIps: [] }
    const answer = await app.send('PUT', '/api/v1/security', ada, policy)
    assert.equal(answer.status, 200)
  }

  test('an organization that requires a second factor refuses members without one and admits members who set one up', async () => {
    const key = await app.send('POST', '/api/v1/keys', ada, { name: 'k' })
    const { data } = (await key.json()) as { data: { key: string } }
    await requireIt()
    const cookie = cookieOf(await signIn(ada.email))
    assert.equal(await outcomeOfMe({ cookie }), 'two_factor_required')
    assert.equal(await outcomeOfMe({ key: data.key }), 'in', 'keys have no second factor')
    const enrolled = await enrolTotp(cookie)
    assert.equal(await outcomeOfMe(enrolled), 'in')
    assert.equal(await outcomeOfMe({ cookie }), 'unauthorized', 'the session from before is gone')
  })

  test("a second factor whose set-up was not confirmed does not meet an organization's requirement", async () => {
    await requireIt()
    const cookie = cookieOf(await signIn(ada.email))
    assert.equal((await postAuth('two-factor/enable', cookie, { password: PASSWORD })).status, 200)
    assert.equal(await outcomeOfMe({ cookie }), 'two_factor_required')
    const wrong = await postAuth('two-factor/verify-totp', cookie, { code: '000000' })
    assert.equal(wrong.status, 401)
    assert.equal(await outcomeOfMe({ cookie }), 'two_factor_required')
    assert.equal((await signIn(ada.email)).status, 200)
  })

  test('a member who switches off a required second factor is refused again', async () => {
    await requireIt()
    const { cookie } = await enrolTotp(cookieOf(await signIn(ada.email)))
    const off = await postAuth('two-factor/disable', cookie, { password: PASSWORD })
    assert.equal(off.status, 200)
    assert.equal(await outcomeOfMe({ cookie: cookieOf(off) }), 'two_factor_required')
  })

  test('with a second factor the password alone opens no session, and the code opens one', async () => {
    const { totp } = await enrolTotp(ada.cookie)
    const first = await signIn(ada.email)
    assert.deepEqual(await first.json(), { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    const pending = cookieOf(first)
    assert.equal(await outcomeOfMe({ cookie: pending }), 'unauthorized')
    assert.equal((await postAuth('two-factor/verify-totp', pending, { code: '12345' })).status, 401)
    const code = totp.generate()
    const second = await postAuth('two-factor/verify-totp', pending, { code })
    assert.equal(second.status, 200)
    assert.equal(await outcomeOfMe({ cookie: cookieOf(second) }), 'in')
    assert.equal((await postAuth('two-factor/verify-totp', pending, { code })).status, 401)
  })

  test('a one-time code of the second factor opens one session, and the code used for the set-up opens none', async () => {
    const enable = await postAuth('two-factor/enable', ada.cookie, { password: PASSWORD })
    const totp = URI.parse(((await enable.json()) as { totpURI: string }).totpURI) as TOTP
    const code = codeOf(totp, 0)
    assert.equal((await postAuth('two-factor/verify-totp', ada.cookie, { code })).status, 200)
    const replayed = await enterWith(code)
    assert.deepEqual([replayed.status, await codeIn(replayed)], [401, 'CODE_ALREADY_USED'])
    const next = codeOf(totp, 1)
    assert.equal((await enterWith(next)).status, 200)
    assert.equal((await enterWith(next)).status, 401)
    assert.equal((await enterWith(code)).status, 401, 'an older one neither')
  })

  test("setting the server's clock back by a day does not lock a person out for a day", async () => {
    const { totp } = await enrolTotp(ada.cookie)
    const tomorrow = Math.floor(Date.now() / 30_000) + 2880
    await app.platform.db
      .updateTable('twoFactor')
      .set({ lastUsedStep: tomorrow })
      .where('userId', '=', ada.userId)
      .execute()
    assert.equal((await enterWith(codeOf(totp, 0))).status, 200)
    assert.equal((await enterWith(codeOf(totp, 0))).status, 401, 'and counts from then on')
  })

  test('of ten simultaneous sign-ins with one second-factor code, one succeeds', async () => {
    const { totp } = await enrolTotp(ada.cookie)
    const pending = await Promise.all(Array.from({ length: 10 }, () => signIn(ada.email)))
    const sessionsBefore = await sessionsOf(ada.userId)
    const code = codeOf(totp, 0)
    const answers = await Promise.all(
      pending.map((first) => postAuth('two-factor/verify-totp', cookieOf(first), { code })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(9).fill(401)])
    assert.equal(await sessionsOf(ada.userId), sessionsBefore + 1)
  })

  describe('a trusted device', () => {
    const trustThisDevice = async () => {
      const { cookie, totp } = await enrolTotp(ada.cookie)
      const entered = await enterWith(codeOf(totp, 0), { trustDevice: true })
      assert.equal(entered.status, 200)
      const trusted = cookieOf(entered)
        .split('; ')
        .filter((pair) => pair.includes('trust_device'))
        .join('; ')
      return { cookie, trusted, session: cookieOf(entered) }
    }
    const skipsCode = async (trusted: string, password = PASSWORD) => {
      const answer = await postAuth('sign-in/email', trusted, { email: ada.email, password })
      assert.equal(answer.status, 200)
      return !('twoFactorRedirect' in ((await answer.json()) as object))
    }

    test('a sign-in on a trusted device needs no second-factor code', async () => {
      const { trusted } = await trustThisDevice()
      assert.ok(await skipsCode(trusted))
    })

    test('a trusted device is asked for a code again after a password change', async () => {
      const { trusted, cookie } = await trustThisDevice()
      const wrong = { currentPassword: 'not the password', newPassword: 'another horse entirely' }
      assert.equal((await postAuth('change-password', cookie, wrong)).status, 400)
      assert.equal(await trustedRows(), 1, 'a refused change ends nothing')
      const change = { currentPassword: PASSWORD, newPassword: 'another horse entirely' }
      assert.equal((await postAuth('change-password', cookie, change)).status, 200)
      assert.ok(!(await skipsCode(trusted, 'another horse entirely')))
    })

    for (const path of ['revoke-other-sessions', 'revoke-sessions'])
      test(`a trusted device is asked for a code again after a call of ${path}`, async () => {
        const { trusted, cookie } = await trustThisDevice()
        assert.equal((await postAuth(path, '', {})).status, 401)
        assert.equal((await postAuth(path, cookie, {})).status, 200)
        assert.ok(!(await skipsCode(trusted)))
      })

    test('a trusted device is asked for a code again after the second factor was switched off and set up again', async () => {
      const { trusted, cookie } = await trustThisDevice()
      const off = await postAuth('two-factor/disable', cookie, { password: PASSWORD })
      assert.equal(off.status, 200)
      await enrolTotp(cookieOf(off))
      assert.ok(!(await skipsCode(trusted)))
    })

    test("a stricter organization policy ends the trust in its members' devices, and devices of other people stay trusted", async () => {
      const { trusted } = await trustThisDevice()
      const other = await database.db
        .insertInto('verification')
        .values({
          id: `other ${people}`,
          identifier: 'trust-device-other',
          value: 'somebody else',
          expiresAt: new Date(Date.now() + 1e6),
          updatedAt: new Date(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const cookie = cookieOf(
        await postAuth('sign-in/email', trusted, { email: ada.email, password: PASSWORD }),
      )
      const renewed = cookie
        .split('; ')
        .filter((pair) => pair.includes('trust_device'))
        .join('; ')
      const policy = { requireSso: false, requireTwoFactor: true, sessionLifetimeDays: null, allowedIps: [] }
      assert.equal((await app.send('PUT', '/api/v1/security', { cookie }, policy)).status, 200)
      assert.ok(!(await skipsCode(renewed)))
      const left = database.db.selectFrom('verification').select('id').where('id', '=', other.id)
      assert.equal((await left.execute()).length, 1)
    })

    const trustedRows = async () => {
      const rows = await database.db
        .selectFrom('verification')
        .select('id')
        .where('value', '=', ada.userId)
        .where('identifier', 'like', 'trust-device-%')
        .execute()
      return rows.length
    }
  })

  test('a backup code of the second factor opens only one session', async () => {
    const { backupCodes } = await enrolTotp(ada.cookie)
    const useBackupCode = async () =>
      postAuth('two-factor/verify-backup-code', cookieOf(await signIn(ada.email)), { code: backupCodes[0] })
    const [once, again] = [await useBackupCode(), await useBackupCode()]
    assert.equal(once.status, 200)
    assert.equal(await outcomeOfMe({ cookie: cookieOf(once) }), 'in')
    assert.equal(again.status, 401)
  })

  test('eight wrong codes in one sign-in are all refused', async () => {
    await enrolTotp(ada.cookie)
    const pending = cookieOf(await signIn(ada.email))
    const tries = []
    for (let i = 0; i < 8; i++)
      tries.push((await postAuth('two-factor/verify-totp', pending, { code: `00000${i}` })).status)
    assert.deepEqual(tries.slice(0, 5), [401, 401, 401, 401, 401])
    assert.ok(
      tries.slice(5).every((status) => status === 400 || status === 401),
      String(tries),
    )
  })

  test('ten wrong codes in a row, over any number of sign-ins, lock the second factor for a quarter of an hour', async () => {
    const { totp } = await enrolTotp(ada.cookie)
    for (let signIns = 0; signIns < 2; signIns++) {
      const pending = cookieOf(await signIn(ada.email))
      for (let i = 0; i < 5; i++) await postAuth('two-factor/verify-totp', pending, { code: `00000${i}` })
    }
    const right = await postAuth('two-factor/verify-totp', cookieOf(await signIn(ada.email)), {
      code: totp.generate(),
    })
    assert.deepEqual([right.status, right.headers.get('retry-after')], [429, '900'])
    assert.match(await right.text(), /"code":"rate_limited"/)
  })

  test('the right password of a person with a second factor does not count as a failed sign-in', async () => {
    await enrolTotp(ada.cookie)
    for (let i = 0; i < 12; i++) assert.equal((await signIn(ada.email)).status, 200)
  })

  test('setting up a second factor keeps the active organization of the session', async () => {
    const create = await postAuth('organization/create', ada.cookie, {
      name: 'Second',
      slug: `second-${people}`,
    })
    const { id } = (await create.json()) as { id: string }
    const { cookie } = await enrolTotp(ada.cookie)
    const answer = await app.send('GET', '/api/v1/me', { cookie })
    const { data } = (await answer.json()) as { data: { organization: { id: string } } }
    assert.equal(data.organization.id, id)
  })

  test('the secret and the backup codes of a second factor are stored encrypted', async () => {
    const { totp, backupCodes } = await enrolTotp(ada.cookie)
    const rows = JSON.stringify(await database.db.selectFrom('twoFactor').selectAll().execute())
    for (const secret of [totp.secret.base32, totp.secret.utf8, ...backupCodes])
      assert.ok(secret.length > 8 && !rows.includes(secret))
  })

  test('two simultaneous set-ups of a second factor leave one secret', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postAuth('two-factor/enable', ada.cookie, { password: PASSWORD })),
    )
    assert.ok(answers.every((answer) => answer.status === 200 || answer.status === 409))
    const rows = await database.db
      .selectFrom('twoFactor')
      .select('id')
      .where('userId', '=', ada.userId)
      .execute()
    assert.equal(rows.length, 1)
  })

  test('codes sent by mail are not accepted as a second factor', async () => {
    for (const path of ['two-factor/send-otp', 'two-factor/verify-otp'])
      assert.equal((await postAuth(path, ada.cookie, { code: '1' })).status, 404)
    const byMail = await postAuth('two-factor/enable', ada.cookie, { password: PASSWORD, method: 'otp' })
    assert.equal(byMail.status, 400)
  })
})
