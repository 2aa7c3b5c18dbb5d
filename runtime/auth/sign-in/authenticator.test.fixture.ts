import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const KINDS = {
  ES256: { algorithm: -7, make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), hash: 'sha256' },
  EdDSA: { algorithm: -8, make: () => generateKeyPairSync('ed25519'), hash: null },
  RS256: {
    algorithm: -257,
    make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    hash: 'sha256',
  },
} as const

export interface AssertionForgery {
  origin?: string
  rpId?: string
  type?: string
  /** Flag bits of the authenticator data; by default user present and verified. */
  flags?: number
  counter?: number
  crossOrigin?: boolean
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')

export class TestAuthenticator {
  readonly id = randomBytes(16)
  readonly #kind: (typeof KINDS)[keyof typeof KINDS]
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  readonly #origin: string
  counter = 0

  constructor(origin: string, kind: keyof typeof KINDS = 'ES256') {
    this.#origin = origin
    this.#kind = KINDS[kind]
    this.#keys = this.#kind.make()
  }

  create(challenge: string, forgery: AssertionForgery = {}) {
    const { clientData, data } = this.#ceremony('webauthn.create', challenge, forgery, 0x45)
    const length = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id])
    return {
      id: base64url(this.id),
      publicKey: base64url(this.#keys.publicKey.export({ type: 'spki', format: 'der' })),
      algorithm: this.#kind.algorithm,
      clientData: base64url(clientData),
      authenticatorData: base64url(Buffer.concat([data, credential])),
    }
  }

  get(challenge: string, userId: string, forgery: AssertionForgery = {}) {
    const { clientData, data } = this.#ceremony('webauthn.get', challenge, forgery, 0x05)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return {
      id: base64url(this.id),
      userHandle: base64url(userId),
      clientData: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(sign(this.#kind.hash, signed, this.#keys.privateKey)),
    }
  }

  #ceremony(type: string, challenge: string, forgery: AssertionForgery, flags: number) {
    const { origin = this.#origin, crossOrigin = false } = forgery
    const rpId = forgery.rpId ?? new URL(this.#origin).hostname
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(forgery.counter ?? this.counter)
    const rpIdHash = createHash('sha256').update(rpId).digest()
    return {
      clientData: JSON.stringify({ type: forgery.type ?? type, challenge, origin, crossOrigin }),
      data: Buffer.concat([rpIdHash, Buffer.from([forgery.flags ?? flags]), counter]),
    }
  }
}
