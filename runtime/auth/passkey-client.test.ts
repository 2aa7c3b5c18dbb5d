import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { makePasskey, usePasskey } from './passkey-client.ts'

const bytes = (...values: number[]): ArrayBuffer => Uint8Array.from(values).buffer
const OPTIONS = {
  // These bytes contain both characters that base64url writes in another way than base64.
  challenge: '-_-_',
  rpId: 'app.example.test',
  timeoutMs: 300_000,
  user: { id: 'u_ada', name: 'ada@example.test', displayName: 'Ada' },
  known: ['AQI', 'AwQF'],
}
const CHALLENGE = Uint8Array.from([0xfb, 0xff, 0xbf])
const NOT_USED = 'No passkey was used. Try again, or sign in in another way.'

class FakeCredential {
  readonly rawId: ArrayBuffer
  readonly response: object
  constructor(rawId: ArrayBuffer, response: object) {
    this.rawId = rawId
    this.response = response
  }
}

const created = (publicKey: ArrayBuffer | null) =>
  new FakeCredential(bytes(0xfb, 0xff), {
    getPublicKey: () => publicKey,
    getPublicKeyAlgorithm: () => -7,
    clientDataJSON: bytes(1),
    getAuthenticatorData: () => bytes(2, 3),
  })

describe('passkeys in the browser', () => {
  const page = globalThis as Record<string, unknown>
  const kept = { PublicKeyCredential: page['PublicKeyCredential'], document: page['document'] }
  /** The options that the browser was called with. */
  let asked: unknown[]
  let answer: () => unknown
  beforeEach(() => {
    asked = []
    Object.assign(page, { PublicKeyCredential: FakeCredential, document: { title: 'Plants' } })
    const ask = async (options: unknown) => {
      asked.push(options)
      return answer()
    }
    const value = { create: ask, get: ask }
    Object.defineProperty(navigator, 'credentials', { configurable: true, value })
  })
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'credentials')
    Object.assign(page, kept)
  })

  test("a new passkey is created with the app's options, and the parts of the passkey are returned as base64url without padding", async () => {
    answer = () => created(bytes(4, 5, 6))
    assert.deepEqual(await makePasskey(OPTIONS), {
      id: '-_8',
      publicKey: 'BAUG',
      algorithm: -7,
      clientData: 'AQ',
      authenticatorData: 'AgM',
    })
    const publicKey = {
      challenge: CHALLENGE,
      rp: { id: 'app.example.test', name: 'Plants' },
      user: { ...OPTIONS.user, id: new TextEncoder().encode('u_ada') },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [
        { type: 'public-key', id: Uint8Array.from([1, 2]) },
        { type: 'public-key', id: Uint8Array.from([3, 4, 5]) },
      ],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }
    assert.deepEqual(asked, [{ publicKey }])
  })

  test("signing in requests any passkey of the app, and returns the passkey's signature as base64url", async () => {
    const response = {
      userHandle: new TextEncoder().encode('u_ada').buffer,
      clientDataJSON: bytes(1),
      authenticatorData: bytes(2, 3),
      signature: bytes(0xfb, 0xff, 0xbf),
    }
    answer = () => new FakeCredential(bytes(7), response)
    assert.deepEqual(await usePasskey(OPTIONS), {
      id: 'Bw',
      userHandle: 'dV9hZGE',
      clientData: 'AQ',
      authenticatorData: 'AgM',
      signature: '-_-_',
    })
    const { rpId } = OPTIONS
    const publicKey = { challenge: CHALLENGE, rpId, timeout: 300_000, userVerification: 'required' }
    assert.deepEqual(asked, [{ publicKey }])
  })

  test('a passkey without a user handle is returned with an empty one, so that the app rejects it', async () => {
    const response = {
      userHandle: null,
      clientDataJSON: bytes(),
      authenticatorData: bytes(),
      signature: bytes(),
    }
    answer = () => new FakeCredential(bytes(7), response)
    assert.equal((await usePasskey(OPTIONS)).userHandle, '')
  })

  test('a person who cancels the passkey prompt, or lets it time out, is told what to do next', async () => {
    const cause = new DOMException('The operation was not allowed.', 'NotAllowedError')
    answer = () => {
      throw cause
    }
    for (const ask of [() => makePasskey(OPTIONS), () => usePasskey(OPTIONS)])
      await assert.rejects(ask, { name: 'ApiError', code: 'unauthorized', message: NOT_USED, cause })
  })

  test('adding a passkey on a device that already has a passkey for the account fails with an error that says so', async () => {
    answer = () => {
      throw new DOMException('excluded', 'InvalidStateError')
    }
    const message = 'This device already has a passkey for this account.'
    await assert.rejects(makePasskey(OPTIONS), { code: 'unauthorized', message })
  })

  test('a browser without passkeys causes the same error as a canceled passkey prompt', async () => {
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: undefined })
    for (const ask of [() => makePasskey(OPTIONS), () => usePasskey(OPTIONS)])
      await assert.rejects(ask, { code: 'unauthorized', message: NOT_USED })
  })

  test('a passkey sign-in is refused when the browser returns no credential, or a credential that is not a passkey', async () => {
    for (const value of [null, { id: 'password', type: 'password' }]) {
      answer = () => value
      await assert.rejects(usePasskey(OPTIONS), { code: 'unauthorized', message: 'No passkey was used.' })
    }
  })

  test('no passkey is added when the browser cannot return its public key', async () => {
    answer = () => created(null)
    const message = 'This device creates keys that this app does not support.'
    await assert.rejects(makePasskey(OPTIONS), { name: 'ApiError', code: 'invalid_request', message })
  })
})
