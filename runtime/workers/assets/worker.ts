import { logError } from '../../kernel/log.ts'
import { bytes, done, preflight, refused } from './answers.ts'
import type { Bucket } from './bucket.ts'
import { type Grant, readToken } from './token.ts'
import { upload } from './upload.ts'

interface Env {
  BUCKET: Bucket
  /** Raw Ed25519 public key, base64url: whoever made the project's tokens holds the other half. */
  UPLOAD_KEY: string
  /** What this deployment is made of, for whoever waits for it. */
  VERSION: string
}

/** The project's upload worker: takes and gives single objects of one bucket, each against a token of its own. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight()
    const path = new URL(request.url).pathname
    try {
      return path === '/_app/health' ? await health(env) : await serve(request, path.slice(1), env)
    } catch (error) {
      logError(error, { route: `${request.method} ${path}` })
      return refused(502, 'upstream_error', 'The bucket did not answer. Try again.')
    }
  },
}

/** Answers as the apps do. Well means: the bucket is there too. */
async function health({ BUCKET, VERSION }: Env): Promise<Response> {
  await BUCKET.head('health')
  return done({ release: VERSION })
}

async function serve(request: Request, path: string, env: Env): Promise<Response> {
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const now = Date.now()
  const grant = await readToken(token, env.UPLOAD_KEY, now)
  if (grant === null) return refused(401, 'unauthorized', 'The token is not valid here, or not any more.')
  if (grant.key !== path) return refused(403, 'forbidden', 'The token is for another key.')
  if (grant.use === 'put' && request.method === 'PUT') return upload(request, grant, env.BUCKET, now)
  if (grant.use === 'get' && request.method === 'GET') return download(grant, env.BUCKET)
  return refused(403, 'forbidden', `The token does not allow ${request.method}.`)
}

async function download(grant: Grant, bucket: Bucket): Promise<Response> {
  const object = await bucket.get(grant.key)
  if (object === null) return refused(404, 'not_found', 'There is nothing under this key.')
  const contentType = object.httpMetadata?.contentType ?? 'application/octet-stream'
  return bytes(object.body, { sizeBytes: object.size, contentType })
}
