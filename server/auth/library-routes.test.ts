import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { openMinimalApp, type MinimalApp } from '../testing/apps/minimal-app.ts'
import { authOptions, openLibrary } from './options.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Calls in the console's source, such as `readAuth<Passkey[]>('/passkey/list-user-passkeys')`. Groups: function, method, path. */
const CALLS =
  /\b(readAuth|sendAuth|authGet|authPost|authSend)(?:<[^(]*?>)?\(\s*(?:'(GET|POST)', )?'(\/[^'?]+)/g

/** Before a route is added here, check that it keeps the service's rules for sessions, policies, limits and deletion. */
const LIBRARY_ROUTES = [
  '/callback/:id',
  '/change-password',
  '/error',
  '/get-session',
  '/list-accounts',
  '/list-sessions',
  '/ok',
  '/organization/accept-invitation',
  '/organization/cancel-invitation',
  '/organization/create',
  '/organization/get-active-member',
  '/organization/get-active-member-role',
  '/organization/get-full-organization',
  '/organization/get-invitation',
  '/organization/get-organization',
  '/organization/has-permission',
  '/organization/invite-member',
  '/organization/leave',
  '/organization/list',
  '/organization/list-invitations',
  '/organization/list-members',
  '/organization/list-user-invitations',
  '/organization/reject-invitation',
  '/organization/remove-member',
  '/organization/set-active',
  '/organization/update',
  '/organization/update-member-role',
  '/passkey/delete-passkey',
  '/passkey/generate-authenticate-options',
  '/passkey/generate-register-options',
  '/passkey/list-user-passkeys',
  '/passkey/update-passkey',
  '/passkey/verify-authentication',
  '/passkey/verify-registration',
  '/request-password-reset',
  '/reset-password',
  '/reset-password/:token',
  '/revoke-other-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/send-verification-email',
  '/sign-in/email',
  '/sign-in/sso',
  '/sign-out',
  '/sign-up/email',
  '/sso/callback/:providerId',
  '/sso/saml2/logout/:providerId',
  '/sso/saml2/sp/acs/:providerId',
  '/sso/saml2/sp/metadata',
  '/sso/saml2/sp/slo/:providerId',
  '/two-factor/disable',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
  '/two-factor/verify-backup-code',
  '/two-factor/verify-totp',
  '/update-user',
  '/verify-email',
]

/** Returns the auth library routes that the console calls, such as `GET /list-sessions`. The API contract does not list them. */
function findConsoleCalls(): string[] {
  const files = globSync('console/api/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const calls = files.flatMap((file) => {
    const found = readFileSync(join(ROOT, file), 'utf8').matchAll(CALLS)
    return Array.from(found, ([, name = '', method, path]) => {
      const isRead = name === 'readAuth' || name === 'authGet'
      return `${method ?? (isRead ? 'GET' : 'POST')} ${path}`
    })
  })
  return [...new Set(calls)].sort()
}

describe('the routes of the auth library', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [])
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  test('the auth library serves only the listed routes, so that an update of the library opens no other route', () => {
    const { api } = openLibrary(app.platform, database.pool)
    const disabled = new Set<string>(authOptions(app.platform, database.pool).disabledPaths)
    const served = Object.values(api).flatMap((route) =>
      'path' in route && typeof route.path === 'string' && !disabled.has(route.path) ? [route.path] : [],
    )
    assert.deepEqual([...new Set(served)].sort(), LIBRARY_ROUTES)
  })

  const isServed = async (call: string) => {
    const [method = '', path] = call.split(' ')
    const { status } = await app.send(method, `/api/auth${path}`, {}, method === 'GET' ? undefined : {})
    return status !== 404 && status !== 405
  }

  test('the service serves each path of the auth library that the console calls, with its method', async () => {
    const calls = findConsoleCalls()
    assert.ok(calls.length > 30 && calls.includes('GET /list-sessions') && calls.includes('POST /sign-out'))
    const missing: string[] = []
    for (const call of calls) if (!(await isServed(call))) missing.push(call)
    assert.deepEqual(missing, [])
  })

  test('the check of console calls reports a path or method that the service does not serve', async () => {
    for (const call of ['GET /list-devices', 'POST /list-sessions', 'POST /delete-user'])
      assert.equal(await isServed(call), false, call)
  })
})
