import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { ScriptsCloud } from './context.ts'
import { ApiFailure } from '../rest/failure.ts'

/**
 * A client opens an upload session with a manifest, then uploads the files that are missing. The signed token
 * (JWT) of each request contains the session's id and step: `upload`, or `complete` when all files are
 * stored.
 */

/** The files of an upload by path. The hash is the one that the client computed, so a client may use any function. */
export type AssetManifest = Record<string, { hash: string; size: number }>

interface SessionRow {
  manifest: JsonText<AssetManifest>
}

const UploadClaims = z.object({
  session: z.string(),
  account: z.string(),
  step: z.enum(['upload', 'complete']),
  exp: z.number(),
})
type UploadClaims = z.output<typeof UploadClaims>

const TOKEN_LIFE_MS = 60 * 60_000
const BUCKET_FILES_MAX = 100
const BUCKET_BYTES_MAX = 40 * 1024 * 1024

/** Opens a session. Without missing files, `buckets` is empty and the token already permits the deployment. */
export function openSession(
  cloud: ScriptsCloud,
  accountId: string,
  script: string,
  manifest: AssetManifest,
): { jwt: string; buckets: string[][] } {
  const id = randomUUID()
  cloud.store.run(
    'INSERT INTO upload_sessions (id, account_id, script, manifest, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    accountId,
    script,
    JSON.stringify(manifest) satisfies SessionRow['manifest'],
    cloud.now(),
  )
  const missing = missingHashes(cloud, accountId, manifest)
  return {
    jwt: signClaims(cloud, {
      session: id,
      account: accountId,
      step: missing.length === 0 ? 'complete' : 'upload',
    }),
    buckets: toBuckets(missing, manifest),
  }
}

/** Returns the hashes of the files that the account has not uploaded before. */
function missingHashes(cloud: ScriptsCloud, accountId: string, manifest: AssetManifest): string[] {
  const hashes = new Set(Object.values(manifest).map((file) => file.hash))
  return [...hashes].filter((hash) => findAsset(cloud, accountId, hash) === null)
}

function toBuckets(hashes: string[], manifest: AssetManifest): string[][] {
  const sizes = new Map(Object.values(manifest).map((file) => [file.hash, file.size]))
  const buckets: string[][] = []
  let bytes = 0
  for (const hash of hashes) {
    const size = sizes.get(hash) ?? 0
    const last = buckets.at(-1)
    if (last === undefined || last.length >= BUCKET_FILES_MAX || bytes + size > BUCKET_BYTES_MAX) {
      buckets.push([hash])
      bytes = size
    } else {
      last.push(hash)
      bytes += size
    }
  }
  return buckets
}

function findAsset(cloud: ScriptsCloud, accountId: string, hash: string): { digest: string } | null {
  const row = cloud.store.get<{ sha256: string }>(
    'SELECT sha256 FROM assets WHERE account_id = ? AND hash = ?',
    accountId,
    hash,
  )
  return row === undefined ? null : { digest: row.sha256 }
}

/** Stores the files of one request. Returns the completion token when all files of the manifest are stored, else null. */
export async function storeAssets(
  cloud: ScriptsCloud,
  jwt: string,
  files: { hash: string; bytes: Uint8Array; contentType: string }[],
): Promise<{ jwt: string | null }> {
  const claims = verifyToken(cloud, jwt)
  const manifest = readUploadManifest(cloud, claims.session)
  const wanted = new Set(Object.values(manifest).map((file) => file.hash))
  for (const file of files) {
    if (!wanted.has(file.hash))
      throw new ApiFailure(400, 10021, `Asset ${file.hash} is not part of the manifest.`)
    const digest = await cloud.blobs.write(claims.account, file.bytes)
    cloud.store.run(
      `INSERT INTO assets (account_id, hash, sha256, size, content_type) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (account_id, hash) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size`,
      claims.account,
      file.hash,
      digest,
      file.bytes.byteLength,
      file.contentType,
    )
  }
  const isComplete = missingHashes(cloud, claims.account, manifest).length === 0
  return { jwt: isComplete ? signClaims(cloud, { ...claims, step: 'complete' }) : null }
}

/** Returns the SHA-256 of each file by its path. Throws unless the token is a completion token of this account. */
export function readUploadedFiles(
  cloud: ScriptsCloud,
  accountId: string,
  jwt: string,
): Record<string, string> {
  const claims = verifyToken(cloud, jwt)
  if (claims.account !== accountId || claims.step !== 'complete') {
    throw new ApiFailure(
      400,
      10021,
      'The assets token is not the completion token of an upload to this account.',
    )
  }
  const files: Record<string, string> = {}
  for (const [path, { hash }] of Object.entries(readUploadManifest(cloud, claims.session))) {
    const asset = findAsset(cloud, accountId, hash)
    if (asset === null) throw new ApiFailure(400, 10021, `Asset ${path} was not uploaded.`)
    files[path] = asset.digest
  }
  return files
}

function readUploadManifest(cloud: ScriptsCloud, session: string): AssetManifest {
  const row = cloud.store.get<SessionRow>('SELECT manifest FROM upload_sessions WHERE id = ?', session)
  if (row === undefined) throw new ApiFailure(401, 10000, 'Unknown upload session.')
  return JSON.parse(row.manifest)
}

const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function macOf(cloud: ScriptsCloud, text: string): Buffer {
  return createHmac('sha256', cloud.signingKey).update(text).digest()
}

/** Signs a JWT: wrangler reads its expiry, so another format would fail. */
function signClaims(cloud: ScriptsCloud, claims: Omit<UploadClaims, 'exp'>): string {
  const payload: UploadClaims = { ...claims, exp: Math.floor((cloud.now() + TOKEN_LIFE_MS) / 1000) }
  const text = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson(payload)}`
  return `${text}.${macOf(cloud, text).toString('base64url')}`
}

function verifyToken(cloud: ScriptsCloud, jwt: string): UploadClaims {
  const [head = '', payload = '', signature = ''] = jwt.split('.')
  const given = Buffer.from(signature, 'base64url')
  const right = macOf(cloud, `${head}.${payload}`)
  const isGenuine = given.length === right.length && timingSafeEqual(given, right)
  if (!isGenuine) throw new ApiFailure(401, 10000, 'The upload token is not valid.')
  const claims = UploadClaims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (claims.exp * 1000 < cloud.now()) throw new ApiFailure(401, 10000, 'The upload token has expired.')
  return claims
}
