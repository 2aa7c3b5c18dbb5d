import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { Refusal, sent, serve } from '../../testing/console.tsx'
import { addPasskey, canUsePasskeys, signInWithPasskey } from './passkeys.ts'

const SIGN_IN_OPTIONS = 'GET /api/auth/passkey/generate-authenticate-options'
const VERIFY_SIGN_IN = 'POST /api/auth/passkey/verify-authentication'
const NEW_OPTIONS = 'GET /api/auth/passkey/generate-register-options'
const VERIFY_NEW = 'POST /api/auth/passkey/verify-registration'

/** The result of the browser's dialog: a credential, null, or an error. */
let dialog: () => unknown = () => null
/** The options with which the browser's dialog was opened. */
let opened: unknown[] = []

class FakeCredential {
  static parseRequestOptionsFromJSON = (options: object) => ({ request: options })
  static parseCreationOptionsFromJSON = (options: object) => ({ creation: options })
  toJSON = () => ({ id: 'cred_1' })
}
const open = async (options: unknown) => {
  opened.push(options)
  return dialog()
}
const failing = (name: string) => () => {
  throw new DOMException('No.', name)
}
const codeOf = (work: Promise<void>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof SlipwayError ? error.code : error),
  )

const serveAll = (answers: Record<string, () => unknown> = {}) =>
  serve({
    [SIGN_IN_OPTIONS]: () => ({ challenge: 'abc' }),
    [NEW_OPTIONS]: () => ({ challenge: 'def' }),
    [VERIFY_SIGN_IN]: () => ({}),
    [VERIFY_NEW]: () => ({}),
    ...answers,
  })

describe('passkeys in the browser', () => {
  beforeEach(() => {
    opened = []
    Object.assign(globalThis, { PublicKeyCredential: FakeCredential })
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: { get: open, create: open },
    })
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  })

  test("a passkey sign-in passes the service's options to the browser, and the browser's credential to the service", async () => {
    const calls = serveAll()
    dialog = () => new FakeCredential()
    await signInWithPasskey()
    assert.deepEqual(opened, [{ publicKey: { request: { challenge: 'abc' } } }])
    assert.deepEqual(sent(calls, VERIFY_SIGN_IN), [{ response: { id: 'cred_1' } }])
  })

  test('a new passkey is registered with its name', async () => {
    const calls = serveAll()
    dialog = () => new FakeCredential()
    await addPasskey('Laptop')
    assert.deepEqual(opened, [{ publicKey: { creation: { challenge: 'def' } } }])
    assert.deepEqual(sent(calls, VERIFY_NEW), [{ response: { id: 'cred_1' }, name: 'Laptop' }])
  })

  test('a browser dialog that ends without a credential is reported as cancelled, and nothing is sent', async () => {
    const calls = serveAll()
    for (const end of [failing('NotAllowedError'), failing('AbortError'), () => null, () => ({})]) {
      dialog = end
      assert.equal(await codeOf(signInWithPasskey()), 'passkey_cancelled')
    }
    assert.deepEqual(sent(calls, VERIFY_SIGN_IN), [])
  })

  test('a device that already has a passkey and a browser that cannot create one are reported as different errors', async () => {
    const calls = serveAll()
    dialog = failing('InvalidStateError')
    assert.equal(await codeOf(addPasskey('Laptop')), 'passkey_exists')
    for (const name of ['SecurityError', 'NotSupportedError', 'ConstraintError']) {
      dialog = failing(name)
      assert.equal(await codeOf(addPasskey('Laptop')), 'passkey_unusable')
    }
    dialog = () => {
      throw new TypeError('The options are malformed.')
    }
    assert.equal(await codeOf(addPasskey('Laptop')), 'passkey_unusable')
    assert.deepEqual(sent(calls, VERIFY_NEW), [])
  })

  test('when the service refuses to start a registration, the browser dialog is not opened', async () => {
    serveAll({ [NEW_OPTIONS]: () => new Refusal(403, 'SESSION_NOT_FRESH', 'Session is not fresh') })
    const error = await addPasskey('Laptop').catch((thrown: unknown) => thrown)
    assert.ok(error instanceof SlipwayError)
    assert.deepEqual(
      [error.code, error.message],
      [
        'session_not_fresh',
        'You signed in more than a day ago. Sign out and in again, then add the passkey.',
      ],
    )
    assert.deepEqual(opened, [])
  })

  test('passkeys are unavailable in a browser without the passkey API, or with an outdated passkey API', () => {
    assert.equal(canUsePasskeys(), true)
    Object.assign(globalThis, { PublicKeyCredential: () => null })
    assert.equal(canUsePasskeys(), false)
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    assert.equal(canUsePasskeys(), false)
  })
})
