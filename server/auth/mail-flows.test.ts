import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { URI, type TOTP } from 'otpauth'
import { listMails, readMail } from '../mail/outbox.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { cookieOf, PASSWORD } from '../testing/apps/minimal-app.ts'
import { leaves } from '../testing/effects.ts'

const NEW_PASSWORD = 'another horse entirely'

/** Returns a client that keeps no cookies. Each request passes the cookies that it needs. */
function browserOf(app: TestApp) {
  const sendAuth = (method: string, path: string, body?: object, cookie = '') =>
    app.request(`${method} /api/auth/${path}`, {
      headers: { 'content-type': 'application/json', origin: app.config.baseUrl, cookie },
      ...(body && { body: JSON.stringify(body) }),
    })
  const postAuth = (path: string, body: object, cookie = '') => sendAuth('POST', path, body, cookie)
  let people = 0
  return {
    send: sendAuth,
    post: postAuth,
    newEmail: () => `person${++people}@example.test`,
    signUp: (email: string) => postAuth('sign-up/email', { name: 'Ada', email, password: PASSWORD }),
    signIn: (email: string, password = PASSWORD) => postAuth('sign-in/email', { email, password }),
    async mailsTo(email: string) {
      const listed = (await listMails(app.platform.db)).filter(({ recipient }) => recipient === email)
      const read = listed.map(({ id }) => readMail(app.platform.db, app.platform.keyring, id))
      return (await Promise.all(read)).map((mail) => {
        const text = mail?.message?.text ?? ''
        return { kind: mail?.kind, state: mail?.state, text, link: /https?:\/\/\S+/.exec(text)?.[0] ?? '' }
      })
    },
  }
}
type Browser = ReturnType<typeof browserOf>

const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code
const isIn = async (app: TestApp, cookie: string) =>
  (await app.request('GET /me', { headers: { cookie } })).status === 200

describe('with a mail server', () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await testApp({ mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'slipway@slipway.test' } })
    browser = browserOf(app)
  })
  after(() => app.close())

  test('with a mail server a new address can sign in only after its verification link was opened', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1, mail: 1 } })
    const email = browser.newEmail()
    const signUp = await browser.signUp(email)
    assert.deepEqual([signUp.status, cookieOf(signUp)], [200, ''])
    const refused = await browser.signIn(email)
    assert.deepEqual([refused.status, await codeOf(refused)], [403, 'EMAIL_NOT_VERIFIED'])
    const [mail] = await browser.mailsTo(email)
    assert.deepEqual([mail?.kind, mail?.state], ['verify', 'waiting'])
    const link = new URL(mail?.link ?? '')
    assert.equal(link.searchParams.get('callbackURL'), '/verify-email')
    const opened = await app.request(`GET ${link.pathname}${link.search}`)
    assert.deepEqual([opened.status, opened.headers.get('location')], [302, '/verify-email'])
    const entered = await browser.signIn(email)
    assert.ok(await isIn(app, cookieOf(entered)))
  })

  test('an altered verification link redirects to a page with the reason and verifies nothing', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1, mail: 1 } })
    const email = browser.newEmail()
    await browser.signUp(email)
    const link = new URL((await browser.mailsTo(email))[0]?.link ?? '')
    link.searchParams.set('token', `${link.searchParams.get('token')}x`)
    const opened = await app.request(`GET ${link.pathname}${link.search}`)
    assert.equal(opened.headers.get('location'), '/verify-email?error=INVALID_TOKEN')
    assert.equal((await browser.signIn(email)).status, 403)
  })

  test('sign-up with a taken address gets the same response as sign-up with a new address, and sends no mail', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1, mail: 1 } })
    const email = browser.newEmail()
    const [first, second] = [await browser.signUp(email), await browser.signUp(email)]
    const keysOf = async (answer: Response) => Object.keys((await answer.json()) as object)
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.deepEqual(await keysOf(first), await keysOf(second))
    assert.equal((await browser.mailsTo(email)).length, 1)
  })

  test('the right password of an unverified address does not count as a failed sign-in', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1, mail: 1 } })
    const email = browser.newEmail()
    await browser.signUp(email)
    for (let tries = 0; tries < 12; tries++) assert.equal((await browser.signIn(email)).status, 403)
  })

  test('an address gets at most three verification mails an hour, and the response does not reveal whether a mail was sent', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1, mail: 3 } })
    const email = browser.newEmail()
    await browser.signUp(email)
    const answers = []
    for (let i = 0; i < 4; i++) {
      const answer = await browser.post('send-verification-email', { email, callbackURL: '/verify-email' })
      answers.push([answer.status, await answer.text()])
    }
    assert.equal(new Set(answers.map(String)).size, 1)
    assert.equal((await browser.mailsTo(email)).length, 3)
  })
})

describe('without a mail server', () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await testApp()
    browser = browserOf(app)
  })
  after(() => app.close())

  const signUpCookie = async (email: string) => cookieOf(await browser.signUp(email))
  const askForReset = (email: string) => browser.post('request-password-reset', { email })
  const tokenFor = async (email: string) => {
    await askForReset(email)
    const mail = (await browser.mailsTo(email)).find(({ kind }) => kind === 'reset')
    return new URL(mail?.link ?? '').searchParams.get('token') ?? ''
  }
  const resetPassword = (token: string, newPassword = NEW_PASSWORD) =>
    browser.post('reset-password', { token, newPassword })

  test('without a mail server sign-up returns a session at once, and the verification mail is stored but not sent', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const email = browser.newEmail()
    assert.ok(await isIn(app, await signUpCookie(email)))
    assert.deepEqual(
      (await browser.mailsTo(email)).map(({ kind, state }) => [kind, state]),
      [['verify', 'held']],
    )
  })

  test('a password reset link sets the password once and ends every session, and only the new password signs in afterwards', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const email = browser.newEmail()
    const cookie = await signUpCookie(email)
    const token = await tokenFor(email)
    const [mail] = await browser.mailsTo(email)
    assert.equal(mail?.link, `${app.config.baseUrl}/reset?token=${token}`)
    assert.equal((await resetPassword(token, 'short')).status, 400)
    assert.equal((await resetPassword(token)).status, 200)
    assert.equal(await isIn(app, cookie), false)
    assert.equal((await browser.signIn(email)).status, 401)
    assert.ok(await isIn(app, cookieOf(await browser.signIn(email, NEW_PASSWORD))))
    const again = await resetPassword(token, 'a third password')
    assert.deepEqual([again.status, await codeOf(again)], [400, 'INVALID_TOKEN'])
  })

  test('of two simultaneous uses of one password reset link, one sets the password', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const email = browser.newEmail()
    await signUpCookie(email)
    const token = await tokenFor(email)
    const answers = await Promise.all([
      resetPassword(token, 'first of the two'),
      resetPassword(token, 'second of the two'),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
  })

  test('a password reset request for a known or unknown address has the same response and minimum duration, even past the mail limit', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const known = browser.newEmail()
    await signUpCookie(known)
    const timeReset = async (email: string) => {
      const began = performance.now()
      const answer = await askForReset(email)
      return { said: [answer.status, await answer.text()], ms: performance.now() - began }
    }
    const answers = [
      await timeReset('nobody@example.test'),
      await timeReset(known),
      await timeReset(known),
      await timeReset(known),
    ]
    for (const { said, ms } of answers) {
      assert.deepEqual(said, answers[0]?.said)
      assert.ok(ms >= 290, `${ms} ms`)
    }
    // Three mails an hour are sent, and the first was the verification at sign-up.
    assert.equal((await browser.mailsTo(known)).filter(({ kind }) => kind === 'reset').length, 2)
    assert.equal((await browser.mailsTo('nobody@example.test')).length, 0)
  })

  test('the database stores no password reset token in plain text', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const email = browser.newEmail()
    await signUpCookie(email)
    const token = await tokenFor(email)
    const { db } = app.platform
    const rows = [
      await db.selectFrom('mails').selectAll().execute(),
      await db.selectFrom('verification').selectAll().execute(),
      (await app.platform.pool.query('select data from pgboss.job')).rows,
    ]
    assert.ok(token.length > 20 && !JSON.stringify(rows).includes(token))
    assert.equal((await resetPassword(token)).status, 200)
  })

  test('changing the password opens a new session in the same organization, and ends all earlier sessions', async () => {
    leaves({ jobs: { 'connect-local-cloud': 2, 'connect-local-code-host': 2 } })
    const email = browser.newEmail()
    const [here, elsewhere] = [await signUpCookie(email), cookieOf(await browser.signIn(email))]
    const create = await browser.post('organization/create', { name: 'Second', slug: 'second-home' }, here)
    const { id } = (await create.json()) as { id: string }
    const wrong = { currentPassword: 'not my password', newPassword: NEW_PASSWORD, revokeOtherSessions: true }
    assert.equal(await codeOf(await browser.post('change-password', wrong, here)), 'INVALID_PASSWORD')
    const changed = await browser.post('change-password', { ...wrong, currentPassword: PASSWORD }, here)
    assert.equal(changed.status, 200)
    const me = await app.request('GET /me', { headers: { cookie: cookieOf(changed) } })
    const { data } = (await me.json()) as { data: { organization: { id: string } } }
    assert.equal(data.organization.id, id)
    assert.deepEqual([await isIn(app, here), await isIn(app, elsewhere)], [false, false])
  })

  test('the owner of an account gets a mail when the second factor is switched on or off, and none at sign-in', async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const email = browser.newEmail()
    const cookie = await signUpCookie(email)
    const enable = await browser.post('two-factor/enable', { password: PASSWORD }, cookie)
    const { totpURI } = (await enable.json()) as { totpURI: string }
    const totp = URI.parse(totpURI) as TOTP
    const code = totp.generate({ timestamp: Date.now() - 30_000 })
    const enrolled = cookieOf(await browser.post('two-factor/verify-totp', { code }, cookie))
    const pending = cookieOf(await browser.signIn(email))
    assert.equal(
      (await browser.post('two-factor/verify-totp', { code: totp.generate() }, pending)).status,
      200,
    )
    await browser.post('update-user', { name: 'Ada Lovelace' }, enrolled)
    await browser.post('two-factor/disable', { password: PASSWORD }, enrolled)
    const notices = (await browser.mailsTo(email)).filter(({ kind }) => kind === 'two-factor')
    assert.equal(notices.length, 2)
    assert.ok(notices.some(({ text }) => text.includes('asks for a code')))
    assert.ok(notices.some(({ text }) => text.includes('password alone')))
  })

  test('after a hundred sign-ups with taken addresses in an hour, further sign-ups are refused; successful sign-ups do not count', async () => {
    leaves({ jobs: { 'connect-local-cloud': 6, 'connect-local-code-host': 6 } })
    const probed = await testApp()
    const { signUp } = browserOf(probed)
    const signUpTaken = async () => (await signUp('taken@example.test')).status
    assert.equal(await signUpTaken(), 200)
    for (let i = 0; i < 5; i++) assert.equal((await signUp(`new${i}@example.test`)).status, 200)
    const answers = await Promise.all(Array.from({ length: 100 }, signUpTaken))
    assert.deepEqual([...new Set(answers)], [422])
    assert.equal(await signUpTaken(), 429)
    assert.equal((await signUp('unknown@example.test')).status, 429, 'which tells nothing of this one')
    await probed.close()
  })

  test("an invitation mail links to the invitation's page, and a person's fifty-first invitation in an hour is refused and not stored", async () => {
    leaves({ jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 } })
    const cookie = await signUpCookie(browser.newEmail())
    const inviteEmail = (email: string, more: object = {}) =>
      browser.post('organization/invite-member', { email, role: 'member', ...more }, cookie)
    const first = await inviteEmail('guest@example.test')
    const { id } = (await first.json()) as { id: string }
    const [mail] = await browser.mailsTo('guest@example.test')
    assert.equal(mail?.link, `${app.config.baseUrl}/invite/${id}`)
    assert.match(mail?.text ?? '', /Ada invites you to Ada's organization as member/)
    for (let i = 0; i < 49; i++) await inviteEmail(`guest${i}@example.test`)
    const refused = await inviteEmail('late@example.test')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 60)
    const stored = app.platform.db.selectFrom('invitation').where('email', '=', 'late@example.test')
    assert.equal((await stored.selectAll().execute()).length, 0)
  })
})
