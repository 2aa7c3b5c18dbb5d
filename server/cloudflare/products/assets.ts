import { Buffer, File } from 'node:buffer'
import { createHash } from 'node:crypto'
import { extname } from 'node:path/posix'
import { FormData } from 'undici'
import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { transientError } from '../errors.ts'

export interface AssetFile {
  bytes: Uint8Array
  contentType: string
}

const UPLOADS_AT_ONCE = 3

/**
 * Announces a set of files for a script and uploads the files that the account lacks. Returns the token that attaches
 * the set to the next upload of the script.
 */
export async function uploadAssets(
  cloud: Cloud,
  script: string,
  files: Readonly<Record<string, AssetFile>>,
): Promise<string> {
  const byHash = new Map<string, AssetFile>()
  const manifest: Record<string, { hash: string; size: number }> = {}
  for (const [path, file] of Object.entries(files)) {
    const hash = assetHash(path, file.bytes)
    byHash.set(hash, file)
    manifest[path.startsWith('/') ? path : `/${path}`] = { hash, size: file.bytes.byteLength }
  }
  const session = await cloud.call({
    method: 'POST',
    path: `/accounts/:account/workers/scripts/${encodeURIComponent(script)}/assets-upload-session`,
    json: { manifest },
    doing: `offer the files of ${script}`,
    result: z.looseObject({ jwt: z.string(), buckets: z.array(z.array(z.string())).nullish() }),
    // Not recorded, because announcing files does not change the account. Only the uploads that follow change it.
    write: null,
    repeatable: true,
  })
  const buckets = (session.buckets ?? []).filter((bucket) => bucket.length > 0)
  // Without files to upload, the session's own token is the completion token.
  if (buckets.length === 0) return session.jwt
  return await sendBuckets(cloud, script, { jwt: session.jwt, buckets, byHash })
}

/**
 * Returns 32 hex digits of a hash of the content and the file extension. Both are hashed, because the extension determines the type with
 * which the asset is served.
 */
export function assetHash(path: string, bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).update(extname(path)).digest('hex').slice(0, 32)
}

interface AssetSending {
  jwt: string
  buckets: string[][]
  byHash: ReadonlyMap<string, AssetFile>
}

async function sendBuckets(
  cloud: Cloud,
  script: string,
  { jwt, buckets, byHash }: AssetSending,
): Promise<string> {
  const waiting = [...buckets]
  let completion: string | null = null
  const sendWaiting = async () => {
    for (let bucket = waiting.shift(); bucket !== undefined; bucket = waiting.shift()) {
      completion = (await sendBucket(cloud, script, { jwt, bucket, byHash })) ?? completion
    }
  }
  await Promise.all(Array.from({ length: Math.min(UPLOADS_AT_ONCE, buckets.length) }, sendWaiting))
  // The provider returns the token in its response to the last missing file.
  if (completion === null) {
    throw transientError(`The cloud account did not confirm the files of ${script}. Try again.`)
  }
  return completion
}

async function sendBucket(
  cloud: Cloud,
  script: string,
  { jwt, bucket, byHash }: { jwt: string; bucket: string[]; byHash: AssetSending['byHash'] },
): Promise<string | null> {
  const bucketForm = () => {
    const form = new FormData()
    for (const hash of bucket) {
      const file = byHash.get(hash)
      if (file === undefined) throw new Error(`the provider asks for an asset that was not offered: ${hash}`)
      const text = Buffer.from(file.bytes).toString('base64')
      form.set(hash, new File([text], hash, { type: file.contentType }), hash)
    }
    return form
  }
  const response = await cloud.call({
    method: 'POST',
    path: '/accounts/:account/workers/assets/upload',
    query: { base64: 'true' },
    form: bucketForm,
    bearer: jwt,
    timeoutMs: 120_000,
    doing: `upload files of ${script}`,
    result: z.looseObject({ jwt: z.string().nullish() }).nullish(),
    write: { action: 'assets.upload', target: script },
    // Assets are stored by content hash, so a repeated upload changes nothing.
    repeatable: true,
  })
  return response?.jwt ?? null
}
