import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { openMinimalApp, type MinimalApp } from '../testing/apps/minimal-app.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Calls in the console's source, such as `readAuth<Passkey[]>('/passkey/list-user-passkeys')`. Groups: function, method, path. */
const CALLS =
  /\b(readAuth|sendAuth|authGet|authPost|authSend)(?:<[^(]*?>)?\(\s*(?:'(GET|POST)', )?'(\/[^'?]+)/g

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

describe("the console's calls to the auth library", () => {
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
