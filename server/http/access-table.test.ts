import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '../endpoints.ts'
import { SPEC_ROUTES } from '../testing/spec-table.ts'
import { requiredAccess } from './openapi.ts'

/**
 * Copied by hand from the contract, route by route, so that a changed declaration cannot widen the access
 * unnoticed. Add a new route here together with its declaration.
 */
const FROM_THE_SPEC: Record<string, string> = {
  ...SPEC_ROUTES,

  'GET /projects/:projectId/model': 'projects:read',
  'PUT /projects/:projectId/model': 'projects:write',
  'GET /projects/:projectId/runs': 'projects:read',
  'GET /projects/:projectId/versions': 'projects:read',
  'POST /projects/:projectId/preview': 'build:write',
  'POST /projects/:projectId/tickets/:ticketId/build': 'build:write',
  'POST /projects/:projectId/tickets/:ticketId/build/stream': 'build:write',
  'POST /projects/:projectId/tickets/:ticketId/build/cancel': 'build:write',
  'POST /projects/:projectId/tickets/:ticketId/build/steer': 'build:write',
  'POST /projects/:projectId/build/queue': 'build:write',
  'GET /projects/:projectId/build/queue': 'projects:read',
  'DELETE /projects/:projectId/build/queue/:ticketId': 'build:write',
  'POST /projects/:projectId/preview-errors': 'build:write',
  'POST /projects/:projectId/versions/:sha/revert': 'build:write',
  'POST /projects/:projectId/backup': 'build:write',
  'GET /projects/:projectId/usage': 'projects:read',
  'GET /projects/:projectId/history': 'projects:read',

  'GET /projects/:projectId/deploy': 'projects:read',
  'GET /projects/:projectId/deploy/readiness': 'projects:read',
  'POST /projects/:projectId/deploy': 'deploy:write',
  'POST /projects/:projectId/deploy/retry': 'deploy:write',
  'GET /projects/:projectId/deployments': 'projects:read',

  'GET /projects/:projectId/domain/status': 'projects:read',
  'POST /projects/:projectId/domain/onboard': 'deploy:write',
  'POST /projects/:projectId/domain/attach': 'deploy:write',
  'DELETE /projects/:projectId/domain': 'deploy:write',
  'GET /projects/:projectId/email/status': 'projects:read',
  'POST /projects/:projectId/email/onboard': 'deploy:write',
  'POST /projects/:projectId/email/verify': 'deploy:write',
  'PUT /projects/:projectId/email/mailboxes': 'deploy:write',
  'POST /projects/:projectId/resources/:resourceId/rollback': 'deploy:write',
  'DELETE /projects/:projectId/resources/:resourceId': 'deploy:write',
  'POST /projects/:projectId/reconcile': 'deploy:write',
  'GET /projects/:projectId/analytics': 'projects:read',
  'GET /projects/:projectId/errors': 'projects:read',
  'GET /traffic': 'projects:read',
  'GET /attention': 'projects:read',

  'GET /projects/:projectId/capabilities': 'projects:read',
  'GET /projects/:projectId/capabilities/:key': 'projects:read',
  'PUT /projects/:projectId/capabilities/:key': 'projects:write',

  'POST /projects/:projectId/pay/key/check': 'projects:write',
  'GET /projects/:projectId/pay/products': 'projects:read',
  'POST /projects/:projectId/pay/products': 'projects:write',
  'POST /projects/:projectId/pay/products/:productId/price': 'projects:write',
  'POST /projects/:projectId/pay/products/:productId/archive': 'projects:write',
  'GET /projects/:projectId/pay/codes': 'projects:read',
  'POST /projects/:projectId/pay/codes': 'projects:write',
  'POST /projects/:projectId/pay/codes/:codeId/archive': 'projects:write',

  'GET /projects/:projectId/assets': 'projects:read',
  'GET /projects/:projectId/assets/:path': 'projects:read',
  'POST /projects/:projectId/assets/upload-init': 'projects:write',
  'POST /projects/:projectId/assets/finalize': 'projects:write',
  'PATCH /projects/:projectId/assets/:path': 'projects:write',
  'DELETE /projects/:projectId/assets/:path': 'projects:write',
  'POST /projects/:projectId/attachments/upload-init': 'projects:write',
  'POST /projects/:projectId/attachments/finalize': 'projects:write',
  'GET /projects/:projectId/attachments/:file': 'projects:read',

  'GET /connections': 'session',
  'GET /connections/:provider/start': 'session, owners and admins',
  'GET /connections/:provider/callback': 'session, owners and admins',
  'DELETE /connections/:provider': 'session, owners and admins',
  'GET /connections/cloudflare/accounts': 'session',
  'PUT /connections/cloudflare/account': 'session',
  'GET /connections/cloudflare/ceilings': 'session',
  'GET /connections/cloudflare/moves': 'session',
  'GET /connections/cloudflare/r2': 'session',
  'GET /connections/cloudflare/stream': 'session',
  'GET /security': 'session',
  'PUT /security': 'session, owners and admins',
  'GET /sso': 'session',
  'POST /sso': 'session, owners and admins',
  'POST /sso/verify-domain': 'session, owners and admins',
  'DELETE /sso': 'session, owners and admins',

  'GET /livez': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'public',
}

/** Routes that the contract does not have. */
const BEYOND_THE_SPEC: Record<string, string> = {
  'POST /billing/webhook': 'public',
  'GET /projects/:projectId/access': 'projects:read',
  'PUT /projects/:projectId/access': 'projects:write',
  'GET /me': 'any',
  'POST /device/code': 'public',
  'POST /device/token': 'public',
  'POST /device/deny': 'session',
  'POST /connections/cloudflare/token': 'session, owners and admins',
  'GET /connections/models': 'session',
  'POST /connections/models': 'session, owners and admins',
  'POST /connections/models/look': 'session, owners and admins',
  'GET /connections/models/local': 'session, owners and admins',
  'GET /connections/models/limits': 'session',
  'PUT /connections/models/limits': 'session, owners and admins',
  'PATCH /connections/models/:id': 'session, owners and admins',
  'DELETE /connections/models/:id': 'session, owners and admins',
  'POST /connections/models/:id/test': 'session, owners and admins',
  'GET /desk': 'session',
  'GET /desk/:threadId': 'session',
  'POST /desk/:threadId/messages': 'session',
  'POST /desk/:threadId/close': 'session',
  'GET /desk/attachments/:attachmentId': 'session',
  'GET /members/:memberId/belongings': 'session',
  'POST /members/:memberId/belongings': 'session, owners and admins',
  'GET /projects/:projectId/runs/:runId': 'projects:read',
  'GET /projects/:projectId/runs/:runId/events': 'projects:read',
  'GET /projects/:projectId/versions/:sha/diff': 'projects:read',
  'GET /projects/:projectId/packages': 'projects:read',
  'GET /projects/:projectId/source.zip': 'projects:read',
  'GET /openapi.json': 'public',
}

const OF_A_CAPABILITY = /^\S+ \/projects\/:projectId\/capabilities\/[a-z]+\//

/**
 * Routes of a single capability follow a rule: a read needs `projects:read`, a change `projects:write`. Only
 * the exceptions are listed, so a new capability adds no line here.
 */
const UNLIKE_OTHERS: Record<string, string> = {
  // Mails of the app contain codes and links that sign a person in.
  'GET /projects/:projectId/capabilities/auth/outbox': 'projects:write',
  'POST /projects/:projectId/capabilities/auth/handover': 'session',
}

const ofCapabilities = (routes: string[]): Record<string, string> =>
  Object.fromEntries(
    routes
      .filter((route) => OF_A_CAPABILITY.test(route))
      .map((route) => [route, route.startsWith('GET ') ? 'projects:read' : 'projects:write']),
  )

/** The session-only routes of the contract; `members`, `desk` and `handover` are our own additions. */
const SESSION_ONLY =
  /^(\S+ \/(keys|device|connections|billing|help|sso|security|account|members|desk)\b|POST \/(webhooks|ingest|projects\/:projectId\/capabilities\/auth\/handover)$)/

/**
 * Public routes whose callers prove something else: a signature, the link from a mail or the code of a
 * device. `POST /device/code` gives nothing until a person approves it.
 */
const PROVES_ITSELF: ReadonlySet<string> = new Set([
  'POST /i/:id',
  'GET /invitations/:invitationId',
  'POST /device/code',
  'POST /device/token',
  'POST /billing/webhook',
])

describe('the access of each caller to each route', () => {
  const declared = Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint.route, requiredAccess(endpoint)]))

  test('every route has exactly the access in the handwritten table, and every route of the table exists', () => {
    const wanted = { ...ofCapabilities(Object.keys(declared)), ...UNLIKE_OTHERS }
    assert.deepEqual(sortRows(declared), sortRows({ ...FROM_THE_SPEC, ...BEYOND_THE_SPEC, ...wanted }))
  })

  test('no route is in both the table of the contract and the table of our own routes', () => {
    const twice = Object.keys(FROM_THE_SPEC).filter((route) => route in BEYOND_THE_SPEC)
    assert.deepEqual(twice, [])
  })

  test('every route under a session-only prefix requires a session, and no other route does', () => {
    for (const { route, refusesKeys } of ENDPOINTS) {
      const access = declared[route] ?? ''
      // `refusesKeys` marks public routes that refuse API keys: device sign-in and the payment provider's signed events.
      const isClosed = access.startsWith('session') || refusesKeys === true
      assert.equal(isClosed, SESSION_ONLY.test(route), `${route} is ${access}`)
    }
  })

  test('only shipping, domains, archiving and deleting need deploy:write, the scope no key gets by default', () => {
    const shipping = Object.keys(declared).filter((route) => declared[route] === 'deploy:write')
    assert.deepEqual(shipping.toSorted(), [
      'DELETE /projects/:projectId',
      'DELETE /projects/:projectId/domain',
      'DELETE /projects/:projectId/resources/:resourceId',
      'POST /projects/:projectId/archive',
      'POST /projects/:projectId/deploy',
      'POST /projects/:projectId/deploy/retry',
      'POST /projects/:projectId/domain/attach',
      'POST /projects/:projectId/domain/onboard',
      'POST /projects/:projectId/email/onboard',
      'POST /projects/:projectId/email/verify',
      'POST /projects/:projectId/reconcile',
      'POST /projects/:projectId/resources/:resourceId/rollback',
      'POST /projects/:projectId/unarchive',
      'PUT /projects/:projectId/email/mailboxes',
    ])
  })

  test('a public route neither changes anything nor names a resource, unless the caller proves itself otherwise', () => {
    for (const endpoint of ENDPOINTS.filter((item) => item.scope === 'public'))
      if (!PROVES_ITSELF.has(endpoint.route))
        assert.ok(endpoint.method === 'GET' && !endpoint.path.includes(':'), endpoint.route)
  })
})

const sortRows = (table: Record<string, string>) =>
  Object.entries(table)
    .map(([route, access]) => `${route}  ${access}`)
    .toSorted()
