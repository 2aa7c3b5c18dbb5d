import { readSigned } from '../../kernel/token.ts'

/** What a token allows its holder: one action on one key, until `exp` (seconds since the epoch). */
export type Grant = PutGrant | GetGrant | PlaceGrant | StampGrant | EmptyGrant

export interface PutGrant {
  use: 'put'
  key: string
  exp: number
  /** Identifies this token, so that an upload happens once. */
  jti: string
  contentType: string
  sizeBytes: number
  /** Exactly these bytes; lowercase hex. */
  sha256?: string
}

export interface GetGrant {
  use: 'get'
  key: string
  exp: number
}

/** Moves the upload under `from` to its served path. */
export interface PlaceGrant {
  use: 'place'
  key: string
  exp: number
  from: string
  /** Who may see it, as JSON. */
  access: string
}

/** Removes everything; `key` is empty. */
export interface EmptyGrant {
  use: 'empty'
  key: ''
  exp: number
}

/** Changes who may see the object. */
export interface StampGrant {
  use: 'stamp'
  key: string
  exp: number
  access: string
}

/** Returns the grant in a token, or null when it was not signed with this key or has expired. */
export const readToken = (token: string, publicKey: string, now: number): Promise<Grant | null> =>
  readSigned<Grant>(token, publicKey, now)
