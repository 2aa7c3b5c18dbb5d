import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { AuthObjects, importAccounts } from './objects.test.fixture.ts'
import type { AuthCalls } from './types.ts'

describe('what sign-in requests reveal about an address', () => {
  const env = { AUTH_EMAIL_CODE: 'on', AUTH_PASSKEY: 'on', AUTH_CODE_KEY: 'key' }
  const context = { objects: new AuthObjects(), tier: 'preview' as const, env }
  let accounts: Awaited<ReturnType<typeof importAccounts>>
  const ask = <Kind extends keyof AuthCalls>(kind: Kind, asked: AuthCalls[Kind]['ask']) =>
    accounts.handleAuth(context, kind, asked)
  const visit = { device: '', from: '' }
  const tokenOf = async (email: string) => {
    const { mail } = (await ask('requestReset', { email, origin: 'https://app.test', from: '' })) as {
      mail?: { text: string }[]
    }
    return /#([0-9a-f]{64})/.exec(mail?.[0]?.text ?? '')?.[1]
  }
  let hashes = 0

  before(async () => {
    accounts = await importAccounts()
    const { scrypt } = crypto
    const countingScrypt = (...args: Parameters<typeof scrypt>) => {
      hashes++
      return scrypt(...args)
    }
    mock.method(crypto, 'scrypt', countingScrypt)
    // Other modules have imported `scrypt` by name, so their bindings must be updated too.
    syncBuiltinESMExports()
    const password = 'long enough'
    assert.ok((await ask('signUp', { email: 'known@example.test', password, name: 'Known', ...visit })).ok)
    // This account has never had a password.
    const email = 'by-code@example.test'
    const { mail } = (await ask('sendCode', { email, from: '' })) as { mail?: { text: string }[] }
    const code = /\d{6}/.exec(mail?.[0]?.text ?? '')?.[0] ?? ''
    assert.ok((await ask('confirmCode', { email, code, ...visit })).ok)
  })
  after(() => {
    mock.restoreAll()
    syncBuiltinESMExports()
  })
  beforeEach(() => {
    hashes = 0
  })

  const ADDRESSES = ['known@example.test', 'by-code@example.test', 'unknown@example.test']

  test('checking a wrong password computes one hash, whether the account has a password, has none, or does not exist', async () => {
    for (const email of ADDRESSES) {
      hashes = 0
      const answer = await ask('signIn', { email, password: 'guessed wrong', ...visit })
      const refusal = { code: 'unauthorized', message: 'The email address or the password is wrong.' }
      assert.deepEqual(answer, { ok: false, error: refusal }, email)
      assert.equal(hashes, 1, email)
    }
  })

  test('signing up with a mailed code hashes the password only after the code is accepted, and does not reveal existing accounts', async () => {
    const confirming = { ...context, env: { ...env, AUTH_CONFIRM_ADDRESS: 'on' } }
    const password = 'long enough'
    const outcomes = []
    for (const email of ['known@example.test', 'new@example.test']) {
      hashes = 0
      const account = { email, password, name: 'New', ...visit }
      const { mail, ...sent } = (await accounts.handleAuth(confirming, 'sendSignUp', account)) as {
        mail?: { to: string; subject: string; text: string }[]
      }
      const wrong = await accounts.handleAuth(confirming, 'signUp', { ...account, code: '12' })
      const without = await accounts.handleAuth(confirming, 'signUp', account)
      outcomes.push({ sent, wrong, without, hashes, mails: mail?.map(({ to }) => to === email) })
      const [message] = mail ?? []
      const code = /\d{6}/.exec(message?.text ?? '')?.[0]
      assert.equal(message?.subject.startsWith('You already have an account'), email.startsWith('known'))
      assert.equal(code === undefined, email.startsWith('known'))
      if (code === undefined) continue
      const made = await accounts.handleAuth(confirming, 'signUp', { ...account, code })
      assert.ok(made.ok && made.value.user.emailVerified)
      assert.equal(hashes, 1)
      // A code is not valid twice, and the address now has an account.
      assert.equal((await accounts.handleAuth(confirming, 'signUp', { ...account, code })).ok, false)
    }
    assert.deepEqual(outcomes[0], outcomes[1])
    const refusal = {
      code: 'unauthorized',
      message: 'This code is wrong, used or expired. Request a new one.',
    }
    assert.deepEqual(outcomes[0], {
      sent: { ok: true, value: { sent: true } },
      wrong: { ok: false, error: refusal },
      without: { ok: false, error: refusal },
      hashes: 0,
      mails: [true],
    })
    // While `confirmAddress` is off, no message is sent: signing up creates the account at once.
    const off = await ask('sendSignUp', { email: 'off@example.test', password, name: 'Off', ...visit })
    assert.equal(!off.ok && off.error.code, 'not_enabled')
  })

  test('requesting a sign-in code or reset link, or entering a wrong code, computes no hash, whether the account exists or not', async () => {
    for (const email of ADDRESSES) {
      assert.ok((await ask('sendCode', { email, from: '' })).ok)
      assert.equal((await ask('confirmCode', { email, code: '12', ...visit })).ok, false)
      await tokenOf(email)
      assert.equal(hashes, 0, email)
    }
  })

  test('resetting a password computes no hash when the link is invalid, and one hash when it is valid', async () => {
    const token = await tokenOf('known@example.test')
    assert.ok(token !== undefined)
    assert.equal(await tokenOf('unknown@example.test'), undefined)
    const reset = (asked: string) => ask('reset', { token: asked, password: 'a new password', from: '' })
    assert.equal((await reset('0'.repeat(64))).ok, false)
    assert.equal(hashes, 0)
    assert.ok((await reset(token)).ok)
    assert.equal(hashes, 1)
  })
})
