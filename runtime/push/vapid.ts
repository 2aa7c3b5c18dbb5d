import { fromBase64Url, joinBytes, toBase64Url } from '../kernel/bytes.ts'

/** The keys by which push services identify this app (RFC 8292). */
export interface VapidKeys {
  privateKey: CryptoKey
  /** The uncompressed point as base64url. Browsers need it to subscribe. */
  publicKey: string
}

const ECDSA_P256 = { name: 'ECDSA', namedCurve: 'P-256' }
/** Half of the maximum lifetime that push services accept, so that a clock may be wrong by half a day in either direction. */
const TOKEN_LIFETIME_SECONDS = 12 * 3600

let importedKeys: { text: string; keys: Promise<VapidKeys> } | null = null

/** Imports a private key (PKCS #8 in base64) and derives the public key. */
export function vapidKeysOf(text: string): Promise<VapidKeys> {
  if (importedKeys?.text !== text) importedKeys = { text, keys: importKeys(text) }
  return importedKeys.keys
}

async function importKeys(text: string): Promise<VapidKeys> {
  const privateKey = await crypto.subtle.importKey('pkcs8', fromBase64Url(text), ECDSA_P256, true, ['sign'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', privateKey)
  const point = joinBytes(Uint8Array.of(4), fromBase64Url(x), fromBase64Url(y))
  return { privateKey, publicKey: toBase64Url(point) }
}

/** Returns the header that identifies the app to an endpoint's push service. `subject` is a mailto: or https address. */
export async function vapidHeader(
  { privateKey, publicKey }: VapidKeys,
  { endpoint, subject, nowMs }: { endpoint: string; subject: string; nowMs: number },
): Promise<string> {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(nowMs / 1000) + TOKEN_LIFETIME_SECONDS,
    sub: subject,
  }
  const content = `${toBase64Url('{"typ":"JWT","alg":"ES256"}')}.${toBase64Url(JSON.stringify(claims))}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(content))
  return `vapid t=${content}.${toBase64Url(signature)}, k=${publicKey}`
}
