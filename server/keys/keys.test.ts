import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { flushKeyUses } from '../statements/keys/key-use.ts'
import { meRoutes } from '../me/me.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { openMinimalApp, type MinimalApp } from '../testing/apps/minimal-app.ts'
import { keyRoutes } from './keys.routes.ts'

let database: Database & { drop(): Promise<void> }
let app: MinimalApp
interface NewKey {
  id: string
  prefix: string
  key: string
  scopes: string[]
}
type Session = { cookie: string }

async function createKey(as: Session, body: object = { name: 'ci' }): Promise<NewKey> {
  const response = await app.send('POST', '/api/v1/keys', as, body)
  assert.equal(response.status, 200, await response.clone().text())
  return ((await response.json()) as { data: NewKey }).data
}
async function listKeys(as: Session): Promise<Record<string, unknown>[]> {
  const response = await app.send('GET', '/api/v1/keys', as)
  return ((await response.json()) as { data: Record<string, unknown>[] }).data
}
async function outcomeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return error ? `${response.status} ${error.code}` : String(response.status)
}
const activityOf = (actor: string) =>
  database.db
    .selectFrom('activity')
    .select(['action', 'target'])
    .where('actor', '=', actor)
    .orderBy('at')
    .execute()

describe('API keys', () => {
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [...keyRoutes, ...meRoutes])
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  describe('creating a key', () => {
    test('creating an API key returns its text once and stores only its hash', async () => {
      const ada = await app.signUp('Ada')
      const key = await createKey(ada, { name: '  ci ' })
      assert.match(key.id, /^key_/)
      assert.match(key.key, /^svk_[0-9A-Za-z]{49}$/)
      assert.ok(key.key.startsWith(key.prefix))
      assert.deepEqual(key.scopes, ['projects:read', 'projects:write', 'tickets:write', 'build:write'])
      const listed = await listKeys(ada)
      assert.deepEqual(listed, [
        {
          id: key.id,
          name: 'ci',
          prefix: key.prefix,
          scopes: key.scopes,
          source: 'console',
          createdBy: { id: ada.userId, name: 'Ada' },
          createdAt: app.clock.now().toISOString(),
          lastUsedAt: null,
          expiresAt: null,
        },
      ])
      const rows = await database.db.selectFrom('api_keys').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(key.key.slice(12)))
      assert.deepEqual(await activityOf(ada.email), [
        { action: 'api_key.created', target: `ci (${key.prefix})` },
      ])
    })

    test('a new API key has exactly the requested scopes', async () => {
      const grace = await app.signUp('Grace')
      const { key } = await createKey(grace, {
        name: 'ship',
        scopes: ['deploy:write', 'projects:read', 'deploy:write'],
      })
      const me = await app.send('GET', '/api/v1/me', { key })
      const { data } = (await me.json()) as { data: { scopes: string[]; role: null; user: { id: string } } }
      assert.deepEqual(data.scopes, ['projects:read', 'deploy:write'])
      assert.equal(data.role, null)
      assert.equal(data.user.id, grace.userId)
    })

    test('creating an API key with bad input stores nothing and returns an error that names the field', async () => {
      const linus = await app.signUp('Linus')
      const bad: [object, RegExp][] = [
        [{}, /^name: /],
        [{ name: ' ' }, /^name: /],
        [{ name: 'x'.repeat(81) }, /^name: /],
        [{ name: 'x', scopes: [] }, /^scopes: /],
        [{ name: 'x', scopes: ['admin'] }, /^scopes\.0: /],
        [{ name: 'x', expiresInDays: 0 }, /^expiresInDays: /],
        [{ name: 'x', expiresInDays: 3651 }, /^expiresInDays: /],
        [{ name: 'x', expiresInDays: 1.5 }, /^expiresInDays: /],
      ]
      for (const [body, message] of bad) {
        const response = await app.send('POST', '/api/v1/keys', linus, body)
        assert.equal(response.status, 400, JSON.stringify(body))
        const { error } = (await response.json()) as { error: { code: string; message: string } }
        assert.equal(error.code, 'invalid_request')
        assert.match(error.message, message)
      }
      assert.deepEqual(await listKeys(linus), [])
      assert.deepEqual(await activityOf(linus.email), [])
    })

    test('an organization has at most fifty keys, even when made simultaneously; expired keys count until revoked or purged', async () => {
      const greedy = await app.signUp('Greedy')
      await createKey(greedy, { name: 'old', expiresInDays: 1 })
      app.clock.at = new Date(app.clock.at.getTime() + 86_400_000)
      const answers = await Promise.all(
        Array.from({ length: 60 }, async (_, i) =>
          outcomeOf(await app.send('POST', '/api/v1/keys', greedy, { name: `k${i}` })),
        ),
      )
      assert.equal(answers.filter((answer) => answer === '200').length, 49)
      assert.equal(answers.filter((answer) => answer === '409 conflict').length, 11)
      const listed = await listKeys(greedy)
      assert.equal(listed.length, 50)
      assert.equal(listed.at(-1)?.name, 'old', 'newest first, the expired one still listed')
      assert.equal(
        await outcomeOf(await app.send('DELETE', `/api/v1/keys/${String(listed[0]?.id)}`, greedy)),
        '200',
      )
      await createKey(greedy)
    })
  })

  describe('a key in use', () => {
    test('an API key is refused from the moment it expires, and is still listed', async () => {
      const mary = await app.signUp('Mary')
      const { key, id } = await createKey(mary, { name: 'short', expiresInDays: 1 })
      const expiresAt = new Date(app.clock.at.getTime() + 86_400_000)
      app.clock.at = new Date(expiresAt.getTime() - 1)
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '200')
      app.clock.at = expiresAt
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '401 unauthorized')
      const listed = await listKeys(mary)
      assert.deepEqual([listed[0]?.id, listed[0]?.expiresAt], [id, expiresAt.toISOString()])
    })

    test('an API key is listed with the time at which it was last used', async () => {
      const rosa = await app.signUp('Rosa')
      const { key } = await createKey(rosa)
      for (const ms of [0, 60_000]) {
        app.clock.at = new Date(app.clock.at.getTime() + ms)
        await app.send('GET', '/api/v1/me', { key })
        await flushKeyUses(database.db)
        assert.equal((await listKeys(rosa))[0]?.lastUsedAt, app.clock.at.toISOString())
      }
    })

    test('an API key still works after its creator has left, because it belongs to the organization', async () => {
      const [owner, leaver] = [await app.signUp('Stays'), await app.signUp('Leaves')]
      const { key, id } = await createKey(owner)
      await database.db
        .updateTable('api_keys')
        .set({ created_by: leaver.userId })
        .where('id', '=', id)
        .execute()
      await database.pool.query(`delete from "user" where id = $1`, [leaver.userId])
      assert.equal((await listKeys(owner))[0]?.createdBy, null)
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '200')
    })
  })

  describe('revoking a key', () => {
    test('a revoked key is refused at the next request, and revoking it again returns a 404', async () => {
      const ken = await app.signUp('Ken')
      const { id, key, prefix } = await createKey(ken)
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '200')
      assert.equal(await outcomeOf(await app.send('DELETE', `/api/v1/keys/${id}`, ken)), '200')
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '401 unauthorized')
      assert.equal(await outcomeOf(await app.send('DELETE', `/api/v1/keys/${id}`, ken)), '404 not_found')
      const target = `ci (${prefix})`
      assert.deepEqual(await activityOf(ken.email), [
        { action: 'api_key.created', target },
        { action: 'api_key.revoked', target },
      ])
    })

    test("revoking another organization's key returns a 404 and changes nothing", async () => {
      const [owner, stranger] = [await app.signUp('Key Owner'), await app.signUp('Stranger')]
      const { id, key } = await createKey(owner)
      const foreign = await app.send('DELETE', `/api/v1/keys/${id}`, stranger)
      const unknown = await app.send('DELETE', '/api/v1/keys/key_none', stranger)
      assert.equal(foreign.status, 404)
      assert.equal(await foreign.text(), await unknown.text())
      assert.equal(await outcomeOf(await app.send('GET', '/api/v1/me', { key })), '200')
    })
  })

  test('an API key can never be used to list, create or revoke API keys', async () => {
    const dennis = await app.signUp('Dennis')
    const { id, key } = await createKey(dennis, {
      name: 'all',
      scopes: ['projects:read', 'projects:write', 'deploy:write'],
    })
    assert.equal(await outcomeOf(await app.send('GET', '/api/v1/keys', { key })), '403 forbidden')
    assert.equal(
      await outcomeOf(await app.send('POST', '/api/v1/keys', { key }, { name: 'child' })),
      '403 forbidden',
    )
    assert.equal(await outcomeOf(await app.send('DELETE', `/api/v1/keys/${id}`, { key })), '403 forbidden')
    assert.equal(await outcomeOf(await app.send('GET', '/api/v1/keys', {})), '401 unauthorized')
  })
})
