import { Hono } from 'hono'
import * as z from 'zod'
import { openSession, storeAssets } from './asset-uploads.ts'
import type { ApiEnv } from '../rest/context.ts'
import type { ScriptsCloud } from './context.ts'
import { respond } from '../rest/envelope.ts'
import { ApiFailure } from '../rest/failure.ts'
import { readBody, readForm } from '../rest/read-body.ts'

const FILE_BYTES_MAX = 25 * 1024 * 1024
const FILES_MAX = 20_000

/** Returns false for a path outside the folder of the version. */
function isAssetPath(path: string): boolean {
  const [first, ...parts] = path.split('/')
  return first === '' && !path.includes('\0') && parts.every((part) => !['', '.', '..'].includes(part))
}

const Manifest = z.record(
  z.string().refine(isAssetPath, 'must be an absolute path without . and ..'),
  z.object({ hash: z.string().regex(/^[0-9a-f]{32}$/), size: z.number().int().min(0).max(FILE_BYTES_MAX) }),
)
const Session = z.object({ manifest: Manifest })

/** Returns the hashes of the files to upload, in groups (buckets): one upload request per group. */
export function assetSessionRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/assets-upload-session', async (c) => {
    const { manifest } = await readBody(c, Session)
    if (Object.keys(manifest).length > FILES_MAX) {
      throw new ApiFailure(413, 10021, `A worker has at most ${FILES_MAX} asset files.`)
    }
    return respond(c, openSession(cloud, c.get('account').id, c.req.param('script') ?? '', manifest))
  })
}

/** Receives the files. The upload session's token, not the account's, authorizes the request. */
export function assetUploadRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/accounts/:account/workers/assets/upload', async (c) => {
    const jwt = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    const isBase64 = c.req.query('base64') === 'true'
    const form = await readForm(c.req.raw)
    const files: { hash: string; bytes: Uint8Array; contentType: string }[] = []
    for (const [hash, part] of form) {
      const raw = typeof part === 'string' ? Buffer.from(part) : Buffer.from(await part.arrayBuffer())
      files.push({
        hash,
        bytes: isBase64 ? Buffer.from(raw.toString('latin1'), 'base64') : raw,
        contentType: typeof part === 'string' ? '' : part.type,
      })
    }
    const { jwt: completion } = await storeAssets(cloud, jwt, files)
    // Status 201 with a token means that all files are stored. Before that the response has no token.
    return completion === null ? respond(c, {}, 202) : respond(c, { jwt: completion }, 201)
  })
}
