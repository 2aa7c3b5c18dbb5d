/**
 * Returns the payload of `<payload>.<signature>`, both base64url. Returns null when the payload was not signed with this key (raw Ed25519,
 * base64url) or has expired. `exp` is in seconds since 1970, `now` in milliseconds.
 */
export async function readSigned<Payload extends { exp: number }>(
  token: string,
  publicKey: string,
  now: number,
): Promise<Payload | null> {
  const [payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const signed = toBytes(signature)
  const text = toBytes(payload)
  if (signed === null || text === null) return null
  const key = await importTokenKey(publicKey)
  // Verify the encoded text, so that only one encoding of a payload is valid.
  if (!(await crypto.subtle.verify('Ed25519', key, signed, new TextEncoder().encode(payload)))) return null
  const read = JSON.parse(new TextDecoder().decode(text)) as Payload
  return read.exp * 1000 > now ? read : null
}

const importedKeys = new Map<string, Promise<CryptoKey>>()

function importTokenKey(publicKey: string): Promise<CryptoKey> {
  let key = importedKeys.get(publicKey)
  if (key === undefined) {
    const bytes = toBytes(publicKey) ?? new Uint8Array()
    key = crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
    importedKeys.set(publicKey, key)
  }
  return key
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(base64url)) return null
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(text, (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
