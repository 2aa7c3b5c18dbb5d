import { Hono } from 'hono/tiny'
import { deleteFirstObjects } from '../../bytes/empty.ts'
import { type AdminContext, type AdminEnv, bucketOf } from '../../kernel/objects/admin.ts'
import { readServiceBody } from '../../kernel/access/guard.ts'
import { errorResponse, succeed } from '../../kernel/worker/envelope.ts'
import { ApiError, unwrapResult } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { OPERATORS } from '../../operators.ts'
import { bucketOperator } from './buckets.ts'
import { authorize } from './claim.ts'
import { transferOperator } from './transfer.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

const adminApp = new Hono<AdminContext>()
adminApp.onError((error, c) => errorResponse(error, `${c.req.method} ${c.req.path}`))
adminApp.get('/_app/health', (c) => succeed({ release: c.env.VERSION }))
// All routes below require a token that the service signed for this project. A token for a request that changes something is valid once.
adminApp.use('*', async (c, next) => {
  const verifier = { publicKey: c.env.OPERATOR_KEY, audience: c.env.AUDIENCE }
  const { claim, request } = await authorize(c.req.raw, verifier, Date.now())
  const isNew =
    SAFE_METHODS.has(claim.method) || (await c.env.LIVE.spend(claim.tier, claim.jti, claim.exp * 1000))
  if (!isNew) throw new ApiError('unauthorized', 'The token was already used.')
  c.req.raw = request
  c.set('tier', claim.tier)
  await next()
})
for (const [key, operator] of Object.entries(OPERATORS)) adminApp.route(`/${key}`, operator)
// The service calls this route to empty a capability's bucket before it removes the bucket.
adminApp.delete('/:capability/objects', async (c) =>
  succeed(await deleteFirstObjects(bucketOf(c.env, c.req.param('capability'), c.var.tier))),
)
// The service calls this route after it has deployed a release. The Durable Objects use this release from then on.
adminApp.post('/release/activate', async (c) => {
  const { hash, manifest } = await readServiceBody<{ hash: string; manifest: Manifest }>(c.req.raw)
  return succeed(unwrapResult(await c.env.LIVE.activate(c.var.tier, hash, manifest)))
})
adminApp.route('/transfer', transferOperator)
adminApp.route('/transfer/buckets', bucketOperator)
adminApp.all('*', (c) => errorResponse(new ApiError('not_found', 'No such address.'), c.req.path))

/** Handles only requests that are signed with the project's key. */
export default {
  fetch: (request: Request, env: AdminEnv) => adminApp.fetch(request, env),
}
