import { joinBytes, toBase64Url } from '../../kernel/bytes.ts'
import { sha256 } from '../../kernel/secrets.ts'
import { fieldsOf } from '../../kernel/fields.ts'

const USER_PRESENT = 1
const USER_VERIFIED = 4
const CREDENTIAL_FLAG = 64
const CREDENTIAL_ID_OFFSET = 55

/** Import and verify parameters by COSE number: ES256, EdDSA, RS256. */
const KEY_ALGORITHMS: Readonly<
  Record<
    number,
    { import: EcKeyImportParams | RsaHashedImportParams | Algorithm; verify: EcdsaParams | Algorithm }
  >
> = {
  [-7]: {
    import: { name: 'ECDSA', namedCurve: 'P-256' },
    verify: { name: 'ECDSA', hash: 'SHA-256' },
  },
  [-8]: { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
  [-257]: {
    import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    verify: { name: 'RSASSA-PKCS1-v1_5' },
  },
}

/**
 * What browser and authenticator sent for a registration or a sign-in with a passkey (WebAuthn). `origin` is the app's own origin, which
 * the signed data must name.
 */
export interface Ceremony {
  type: 'webauthn.create' | 'webauthn.get'
  origin: URL
  clientData: Uint8Array<ArrayBuffer>
  authenticatorData: Uint8Array<ArrayBuffer>
}

/**
 * Checks the data that browser and authenticator sent: type, origin and host, and that a user was present and verified. Returns the
 * challenge, the counter, and the id of a new credential. Returns null when a check fails.
 */
export function readCeremony(
  ceremony: Ceremony,
): { challenge: string; counter: number; credentialId: string | null } | null {
  const client = readClientData(ceremony.clientData)
  const { type, origin, authenticatorData: data } = ceremony
  if (client?.type !== type || client.crossOrigin || !isOwnOrigin(client.origin, origin)) return null
  if (data.length < 37) return null
  const flags = data[32] ?? 0
  if (!sha256(origin.hostname).equals(data.subarray(0, 32))) return null
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return null
  const counter = new DataView(data.buffer, data.byteOffset).getUint32(33)
  return { challenge: client.challenge, counter, credentialId: credentialIdIn(data, flags) }
}

function credentialIdIn(data: Uint8Array, flags: number): string | null {
  if ((flags & CREDENTIAL_FLAG) === 0 || data.length < CREDENTIAL_ID_OFFSET) return null
  const length = ((data[CREDENTIAL_ID_OFFSET - 2] ?? 0) << 8) | (data[CREDENTIAL_ID_OFFSET - 1] ?? 0)
  const id = data.subarray(CREDENTIAL_ID_OFFSET, CREDENTIAL_ID_OFFSET + length)
  return id.length === length && length > 0 ? toBase64Url(id) : null
}

function readClientData(bytes: Uint8Array) {
  try {
    const { type, challenge, origin, crossOrigin } = fieldsOf(JSON.parse(new TextDecoder().decode(bytes)))
    if (typeof challenge !== 'string' || typeof origin !== 'string') return null
    return { type, challenge, origin, crossOrigin: crossOrigin === true }
  } catch {
    return null
  }
}

/** Accepts https where the app sees http: a reverse proxy may terminate TLS, and the worker then sees http instead of https. */
function isOwnOrigin(named: string, own: URL): boolean {
  if (!URL.canParse(named)) return false
  const { protocol, host, origin } = new URL(named)
  return origin === named && host === own.host && (protocol === 'https:' || protocol === own.protocol)
}

/** Imports a public key (SubjectPublicKeyInfo). Returns null for another algorithm or an invalid key. */
export async function importKey(spki: Uint8Array<ArrayBuffer>, algorithm: number): Promise<CryptoKey | null> {
  const known = KEY_ALGORITHMS[algorithm]
  if (known === undefined) return null
  try {
    return await crypto.subtle.importKey('spki', spki, known.import, false, ['verify'])
  } catch {
    return null
  }
}

export async function isSigned(
  { clientData, authenticatorData }: Pick<Ceremony, 'clientData' | 'authenticatorData'>,
  signature: Uint8Array<ArrayBuffer>,
  { key, algorithm }: { key: Uint8Array<ArrayBuffer>; algorithm: number },
): Promise<boolean> {
  const imported = await importKey(key, algorithm)
  const known = KEY_ALGORITHMS[algorithm]
  const raw = algorithm === -7 ? derToRawSignature(signature) : signature
  if (imported === null || known === undefined || raw === null) return false
  const signed = joinBytes(authenticatorData, sha256(clientData))
  return crypto.subtle.verify(known.verify, imported, raw, signed)
}

/** Converts an ECDSA signature from DER, which authenticators send, to two 32-byte numbers. Returns null when it is malformed. */
export function derToRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null
  const raw = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0
    if (der[at] !== 0x02 || length === 0 || at + 2 + length > der.length) return null
    const number = der.subarray(at + 2, at + 2 + length)
    const digits = number[0] === 0 ? number.subarray(1) : number
    if (digits.length > 32) return null
    raw.set(digits, end - digits.length)
    at += 2 + length
  }
  return at === der.length ? raw : null
}
