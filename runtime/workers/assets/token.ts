/** What a token lets its holder do: one thing, with one key, until `exp` (seconds since 1970). */
export type Grant = PutGrant | GetGrant | PlaceGrant | StampGrant

export interface PutGrant {
  use: 'put'
  key: string
  exp: number
  /** Names this token: an upload happens once. */
  jti: string
  contentType: string
  sizeBytes: number
  /** The bytes and no others; lowercase hex. */
  sha256?: string
}

export interface GetGrant {
  use: 'get'
  key: string
  exp: number
}

/** Moves what was uploaded under `from` to where it is served. */
export interface PlaceGrant {
  use: 'place'
  key: string
  exp: number
  from: string
  /** Who may see it, as JSON. */
  access: string
}

/** Changes who may see what lies there. */
export interface StampGrant {
  use: 'stamp'
  key: string
  exp: number
  access: string
}

/** Reads `<payload>.<signature>`, both base64url. Null: not signed with this key, or no longer valid. */
export async function readToken(token: string, publicKey: string, now: number): Promise<Grant | null> {
  const [payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const signed = toBytes(signature)
  const text = toBytes(payload)
  if (signed === null || text === null) return null
  const key = await importKey(publicKey)
  // The text that was sent is what is signed, so that one grant has one spelling.
  if (!(await crypto.subtle.verify('Ed25519', key, signed, new TextEncoder().encode(payload)))) return null
  const grant = JSON.parse(new TextDecoder().decode(text)) as Grant
  return grant.exp * 1000 > now ? grant : null
}

const keys = new Map<string, Promise<CryptoKey>>()

function importKey(publicKey: string): Promise<CryptoKey> {
  let key = keys.get(publicKey)
  if (key === undefined) {
    const bytes = toBytes(publicKey) ?? new Uint8Array()
    key = crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
    keys.set(publicKey, key)
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
