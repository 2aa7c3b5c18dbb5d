import { readSigned } from '../../kernel/token.ts'

/** What a token lets its holder do: one thing, with one key, until `exp` (seconds since 1970). */
export type Grant = PutGrant | GetGrant | PlaceGrant | StampGrant | EmptyGrant

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

/** Removes everything; `key` is empty. */
export interface EmptyGrant {
  use: 'empty'
  key: ''
  exp: number
}

/** Changes who may see what lies there. */
export interface StampGrant {
  use: 'stamp'
  key: string
  exp: number
  access: string
}

/** The grant in a token, or null when it was not signed with this key or is no longer valid. */
export const readToken = (token: string, publicKey: string, now: number): Promise<Grant | null> =>
  readSigned<Grant>(token, publicKey, now)
