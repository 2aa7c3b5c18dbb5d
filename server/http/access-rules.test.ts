import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '../tables/endpoints.ts'
import { requiredAccess } from './openapi.ts'

/** The routes that API keys may never call. */
const SESSION_ONLY =
  /^(\S+ \/(keys|device|connections|billing|help|sso|security|account|members|desk)\b|POST \/(webhooks|ingest|projects\/:projectId\/capabilities\/auth\/handover)$)/

/**
 * The scope that an API key needs for each route that changes something. The first pattern that matches
 * applies. No key has `deploy:write` by default.
 */
const SCOPE_OF_CHANGES: [RegExp, string][] = [
  [
    /^DELETE \/projects\/:projectId$|^\S+ \/projects\/:projectId\/(archive|unarchive|deploy|domain|email|reconcile|resources)\b/,
    'deploy:write',
  ],
  [
    /^\S+ \/projects\/:projectId\/(tickets\/:ticketId\/build|build|preview|preview-errors|versions|backup)\b/,
    'build:write',
  ],
  [/^\S+ \/projects\/:projectId\/(tickets|plan)\b/, 'tickets:write'],
  [/^/, 'projects:write'],
]

const UNLIKE_OTHERS: Record<string, string> = {
  // This POST changes nothing. It sends the ids of tickets in its body, because there may be too many for a URL.
  'POST /projects/:projectId/tickets/rollups': 'projects:read',
  // The scope to read projects is not enough, because the mails of an app contain codes and links that sign a person in.
  'GET /projects/:projectId/capabilities/auth/outbox': 'projects:write',
  // Returns who the caller is, so a session or a key with any scope may call it.
  'GET /me': 'any',
}

/**
 * Public routes that may change something or have an id in their path. Their callers prove their access with a
 * signature, the link of an invitation or a device code. `POST /device/code` gives no access until a person approves
 * it.
 */
const PROVES_ITSELF: ReadonlySet<string> = new Set([
  'POST /i/:id',
  'GET /invitations/:invitationId',
  'POST /device/code',
  'POST /device/token',
  'POST /billing/webhook',
])

describe('the access of each caller to each route', () => {
  const ofKeys = ENDPOINTS.filter(({ scope }) => scope !== 'public' && scope !== 'session')

  test('the routes that refuse API keys are exactly those in a fixed list of paths, such as account, members and billing', () => {
    for (const { route, scope, refusesKeys } of ENDPOINTS) {
      // `refusesKeys` marks public routes that refuse API keys: device sign-in and the payment provider's signed events.
      const isClosed = scope === 'session' || refusesKeys === true
      assert.equal(isClosed, SESSION_ONLY.test(route), `${route} is ${scope}`)
    }
  })

  test('an API key needs the scope deploy:write to deploy, archive or delete a project or change its domain, and another write scope for other changes', () => {
    const changes = ofKeys.filter(({ method }) => method !== 'GET')
    assert.ok(changes.length > 50)
    for (const { route, scope } of changes) {
      const expected = UNLIKE_OTHERS[route] ?? SCOPE_OF_CHANGES.find(([pattern]) => pattern.test(route))?.[1]
      assert.equal(scope, expected, route)
    }
  })

  test('a GET route needs the API key scope projects:read, unless it is listed as an exception', () => {
    const reads = ofKeys.filter(({ method }) => method === 'GET')
    assert.ok(reads.length > 50)
    for (const { route, scope } of reads) assert.equal(scope, UNLIKE_OTHERS[route] ?? 'projects:read', route)
  })

  test('a route that requires a role accepts sessions only, because API keys have no role', () => {
    for (const endpoint of ENDPOINTS.filter(({ role }) => role !== undefined))
      assert.equal(requiredAccess(endpoint), 'session, owners and admins', endpoint.route)
  })

  test('a public route is a GET without an id in its path, unless it is listed as a route with another proof of access', () => {
    for (const endpoint of ENDPOINTS.filter((item) => item.scope === 'public'))
      if (!PROVES_ITSELF.has(endpoint.route))
        assert.ok(endpoint.method === 'GET' && !endpoint.path.includes(':'), endpoint.route)
  })
})
