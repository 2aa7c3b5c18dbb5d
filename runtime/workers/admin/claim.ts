import { ApiError } from '../../kernel/errors.ts'
import { limitBody } from '../../kernel/guard.ts'
import type { Tier } from '../../kernel/objects.ts'
import { readSigned } from '../../kernel/token.ts'

/** A token allows exactly one request of the operator. */
export interface Claim {
  aud: string
  tier: Tier
  method: string
  /** Includes the query string. */
  path: string
  /** SHA-256 of the body's bytes, lowercase hex. */
  bodySha256: string
  /** Seconds since 1970, at most a minute ahead. */
  exp: number
  jti: string
}

const LIFE_MS_MAX = 60_000
/** How much the clocks of the service and of the worker may differ. */
const SKEW_MS = 5_000
/** Parts of files are larger than any other request. */
const PARTS = '/files/uploads/part'
const PART_BYTES_MAX = 8 * 1024 * 1024

export interface Verifier {
  /** Raw Ed25519 public key, base64url; the service holds the private half. */
  publicKey: string
  audience: string
}

/** Throws unless the token matches the method, path and body of this request. Returns the request with its body read. */
export async function authorize(
  request: Request,
  { publicKey, audience }: Verifier,
  now: number,
): Promise<{ claim: Claim; request: Request }> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const claim = await readSigned<Claim>(token, publicKey, now)
  const { pathname, search } = new URL(request.url)
  const isFor =
    claim !== null &&
    claim.aud === audience &&
    claim.method === request.method &&
    claim.path === pathname + search &&
    claim.exp * 1000 <= now + LIFE_MS_MAX + SKEW_MS
  if (!isFor) throw refused()
  const read = await (pathname === PARTS ? limitBody(request, PART_BYTES_MAX) : limitBody(request))
  const bytes = await read.clone().arrayBuffer()
  if (claim.bodySha256 !== (await sha256(bytes))) throw refused()
  return { claim, request: read }
}

const refused = () => new ApiError('unauthorized', 'The token is not valid for this request.')

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
