import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Bucket, FileBucket } from '../../bytes/bucket.ts'
import { deleteFirstObjects } from '../../bytes/empty.ts'
import { serveObject } from '../../bytes/serve.ts'
import { logError } from '../../kernel/objects/log.ts'
import { successResponse, open, preflight, refusalResponse } from './answers.ts'
import { placeAsset, stamp } from './place.ts'
import { PRODUCTS_HEADER, VIEWER_HEADER } from '../../assets/viewer.ts'
import { serveAsset } from './serve.ts'
import { type TokenGrant, readToken } from './token.ts'
import { upload } from './upload.ts'

interface AssetsEnv {
  BUCKET: FileBucket
  /** The raw Ed25519 public key in base64url. The service holds the private key. */
  UPLOAD_KEY: string
  /** How many seconds a browser caches a public asset. */
  CACHE_SECONDS: string
  /** Identifies the code and settings of this deployment. The service waits until this version responds. */
  VERSION: string
}

/**
 * The entrypoint that only the project's own app is bound to. This entrypoint trusts the app's header about the sender, and allows only
 * reads of assets.
 */
export class Serve extends WorkerEntrypoint<AssetsEnv> {
  async fetch(request: Request): Promise<Response> {
    const key = decodeKey(new URL(request.url).pathname)
    const { BUCKET, CACHE_SECONDS } = this.env
    const viewer = request.headers.get(VIEWER_HEADER) === 'member' ? 'member' : 'visitor'
    const products = (request.headers.get(PRODUCTS_HEADER) ?? '').split(',').filter(Boolean)
    const served = { cacheSeconds: CACHE_SECONDS, viewer, products } as const
    const answer = key === null ? null : await serveAsset(BUCKET, key, request.headers, served)
    return answer ?? refusalResponse(404, 'not_found', 'No such address.')
  }
}

/** The upload worker, which writes and reads single objects of one bucket. Each request needs its own token. */
export default {
  async fetch(request: Request, env: AssetsEnv): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight()
    const path = new URL(request.url).pathname
    try {
      return path === '/_app/health'
        ? await checkHealth(env)
        : await serveGrant(request, decodeKey(path), env)
    } catch (error) {
      logError(error, { route: `${request.method} ${path}` })
      return refusalResponse(502, 'upstream_error', 'The bucket did not respond. Try again.')
    }
  },
}

/** Returns the same response as the health check of an app. Healthy also means that the bucket exists. */
async function checkHealth({ BUCKET, VERSION }: AssetsEnv): Promise<Response> {
  await BUCKET.head('health')
  return successResponse({ release: VERSION })
}

async function serveGrant(request: Request, key: string | null, env: AssetsEnv): Promise<Response> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const now = Date.now()
  const grant = await readToken(token, env.UPLOAD_KEY, now)
  if (grant === null) return refusalResponse(401, 'unauthorized', 'The token is invalid or has expired.')
  if (grant.key !== key) return refusalResponse(403, 'forbidden', 'The token is for another key.')
  if (METHOD_OF_USE[grant.use] !== request.method)
    return refusalResponse(403, 'forbidden', `The token does not allow ${request.method}.`)
  switch (grant.use) {
    case 'put':
      return await upload(request, grant, env.BUCKET, now)
    case 'get':
      return await downloadObject(request, grant.key, env.BUCKET)
    case 'place':
      return await placeAsset(grant, env.BUCKET)
    case 'stamp':
      return await stamp(grant, env.BUCKET)
    case 'empty':
      return successResponse(await deleteFirstObjects(env.BUCKET))
  }
}

const METHOD_OF_USE: Record<TokenGrant['use'], string> = {
  put: 'PUT',
  get: 'GET',
  place: 'POST',
  stamp: 'POST',
  empty: 'DELETE',
}

async function downloadObject(request: Request, key: string, bucket: Bucket): Promise<Response> {
  const object = await serveObject(bucket, key, request.headers, () => true)
  if (object === null) return refusalResponse(404, 'not_found', 'There is nothing under this key.')
  object.headers.set('content-disposition', 'attachment')
  return open(object)
}

function decodeKey(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.slice(1))
  } catch {
    return null
  }
}
