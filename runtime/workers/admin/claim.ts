import { ApiError } from '../../kernel/errors.ts'
import { limitBody } from '../../kernel/access/guard.ts'
import type { Tier } from '../../kernel/objects/objects.ts'
import { readSigned } from '../../kernel/access/token.ts'

/** The content of a token. A token allows exactly one request of the service. */
export interface AdminClaim {
  aud: string
  tier: Tier
  method: string
  /** The path, including the query string. */
  path: string
  /** The SHA-256 hash of the body in lower-case hex. */
  bodySha256: string
  /** The expiry in seconds since 1970, at most a minute from now. */
  exp: number
  jti: string
}

const CLAIM_LIFETIME_MS_MAX = 60_000
/** How far the clocks of the service and the worker may differ. */
const SKEW_MS = 5_000
/** Matches the paths whose requests have the largest bodies: a part of an object, or mails with their files. */
const LARGE_PATHS = /^\/transfer\/(?:buckets\/[a-z]+\/uploads\/part|mails)$/
const LARGE_BYTES_MAX = 16 * 1024 * 1024

export interface Verifier {
  /** The raw Ed25519 public key in base64url. The service holds the private key. */
  publicKey: string
  audience: string
}

/** Throws unless the token matches the method, path and body of this request. Returns the request with its body read. */
export async function authorize(
  request: Request,
  { publicKey, audience }: Verifier,
  now: number,
): Promise<{ claim: AdminClaim; request: Request }> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const claim = await readSigned<AdminClaim>(token, publicKey, now)
  const { pathname, search } = new URL(request.url)
  const isFor =
    claim !== null &&
    claim.aud === audience &&
    claim.method === request.method &&
    claim.path === pathname + search &&
    claim.exp * 1000 <= now + CLAIM_LIFETIME_MS_MAX + SKEW_MS
  if (!isFor) throw invalidToken()
  const read = await (LARGE_PATHS.test(pathname) ? limitBody(request, LARGE_BYTES_MAX) : limitBody(request))
  const bytes = await read.clone().arrayBuffer()
  if (claim.bodySha256 !== (await sha256HexOf(bytes))) throw invalidToken()
  return { claim, request: read }
}

const invalidToken = () => new ApiError('unauthorized', 'The token is not valid for this request.')

async function sha256HexOf(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
