import { readSigned } from '../../kernel/token.ts'

/** A token allows one action on one key, until `exp` (seconds since 1970). */
export type Grant = PutGrant | GetGrant | PlaceGrant | StampGrant | EmptyGrant

export interface PutGrant {
  use: 'put'
  key: string
  exp: number
  /** Identifies this token, so that it is valid for one upload. */
  jti: string
  contentType: string
  sizeBytes: number
  /** SHA-256 of the allowed bytes, lowercase hex. */
  sha256?: string
}

export interface GetGrant {
  use: 'get'
  key: string
  exp: number
}

export interface PlaceGrant {
  use: 'place'
  key: string
  exp: number
  from: string
  /** JSON that says who may see it. */
  access: string
}

/** Removes everything; `key` is empty. */
export interface EmptyGrant {
  use: 'empty'
  key: ''
  exp: number
}

export interface StampGrant {
  use: 'stamp'
  key: string
  exp: number
  access: string
}

/** Null when the token was not signed with this key or has expired. */
export const readToken = (token: string, publicKey: string, now: number): Promise<Grant | null> =>
  readSigned<Grant>(token, publicKey, now)
