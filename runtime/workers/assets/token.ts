import { readSigned } from '../../kernel/access/token.ts'

/** The content of a token, which allows one action on one key of the bucket, until `exp` (seconds since 1970). */
export type TokenGrant = PutGrant | GetGrant | PlaceGrant | StampGrant | EmptyGrant

export interface PutGrant {
  use: 'put'
  key: string
  exp: number
  /** The id of this token, which is valid for one upload. */
  jti: string
  contentType: string
  sizeBytes: number
  /** The SHA-256 hash of the allowed bytes in lower-case hex. */
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
  /** The metadata `access` of the asset: JSON that says who may see it. */
  access: string
}

/** Allows deleting all objects of the bucket; `key` is empty. */
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

/** Returns the content of a token; null when it was not signed with this key or has expired. */
export const readToken = (token: string, publicKey: string, now: number): Promise<TokenGrant | null> =>
  readSigned<TokenGrant>(token, publicKey, now)
