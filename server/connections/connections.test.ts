import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Cloud } from '../cloudflare/client.ts'
import { readConfig, withLocalWorld } from '../config.ts'
import { makeKeyring } from '../crypto/keyring.ts'
import { newSecrets } from '../crypto/secrets.ts'
import { type Database, openDatabase, transact } from '../db/database.ts'
import { type Jobs, openJobs } from '../jobs/jobs.ts'
import type { PlatformPorts, Platform } from '../platform.ts'
import { silentLog, testDatabase } from '../testing/database.ts'
import { bootstrapOrganization } from './bootstrap.ts'
import { connectLocalCloud, connectLocalCodeHost } from './connect-local-world.ts'
import { readConnection } from './connections.ts'
import { openAccounts } from './open-accounts.ts'

/** A fake of Cloudflare that enforces PKCE and refuses a refresh token that is used twice. */
class CloudStub {
  readonly server = createServer((request, response) => void this.#answer(request, response))
  challenge = ''
  access = 'access-0'
  refresh = 'refresh-0'
  refreshes = 0
  exchangeMs = 0

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://cloud')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const json = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    response.setHeader('connection', 'close')
    if (url.pathname === '/oauth2/auth') {
      this.challenge = url.searchParams.get('code_challenge') ?? ''
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' }).toString()
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/oauth2/token') {
      await sleep(this.exchangeMs)
      return void json(...this.#token(form))
    }
    if (request.headers.authorization !== `Bearer ${this.access}`)
      return void json(401, { success: false, errors: [{ code: 10000, message: 'Authentication error' }] })
    const result = url.pathname.endsWith('/subdomain')
      ? { subdomain: 'acme' }
      : [{ id: 'acc1', name: 'Acme' }]
    return void json(200, { success: true, errors: [], result })
  }

  #token(form: URLSearchParams): [number, unknown] {
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      form.get('grant_type') === 'authorization_code'
        ? verifier === this.challenge
        : form.get('refresh_token') === this.refresh
    if (!isGood) return [400, { error: 'invalid_grant' }]
    this.refreshes += form.get('grant_type') === 'refresh_token' ? 1 : 0
    const n = randomUUID()
    this.access = `access-${n}`
    this.refresh = `refresh-${n}`
    return [
      200,
      { access_token: this.access, refresh_token: this.refresh, expires_in: 3600, scope: 'a.read b.write' },
    ]
  }
}

describe("an organization's connections", () => {
  const stub = new CloudStub()
  const clock = { at: new Date('2026-06-01T12:00:00Z'), now: () => clock.at }
  let database: Database & { drop(): Promise<void> }
  let jobs: Jobs<PlatformPorts<'config' | 'keyring'>>
  let platform: Platform

  before(async () => {
    await new Promise<void>((ready) => stub.server.listen(0, '127.0.0.1', ready))
    const { port } = stub.server.address() as AddressInfo
    database = await testDatabase()
    jobs = await openJobs({
      url: database.url,
      log: silentLog,
      definitions: [connectLocalCloud, connectLocalCodeHost],
    })
    const restUrl = `http://127.0.0.1:${port}`
    const config = withLocalWorld(readConfig({}).config, { restUrl, appsPort: 1 })
    platform = {
      config: {
        ...config,
        cloudflare: { ...config.cloudflare, api: `${restUrl}/client/v4`, oauth: `${restUrl}/oauth2` },
      },
      db: database.db,
      pool: database.pool,
      streamPool: database.streamPool,
      clock,
      log: silentLog,
      keyring: makeKeyring(newSecrets()),
      jobs,
    } as unknown as Platform
    platform.accounts = openAccounts(platform)
  })
  after(async () => {
    await jobs.stop()
    await database.drop()
    await new Promise((done) => stub.server.close(done))
  })

  async function newOrganization(on: PlatformPorts<'config' | 'jobs'> = platform) {
    const id = randomUUID()
    await transact(on.db, async (trx) => {
      await trx
        .insertInto('organization')
        .values({ id, name: 'Acme', slug: id, logo: null, createdAt: clock.at, metadata: null })
        .execute()
      await bootstrapOrganization(on, trx, { id, slug: 'acme' })
    })
    return id
  }

  const connect = (organizationId: string) =>
    connectLocalCloud.run(platform, {
      data: { organizationId, name: 'Acme' },
      attempt: 1,
      signal: new AbortController().signal,
    })

  const readAccounts = (cloud: Cloud) =>
    cloud.call({ method: 'GET', path: '/accounts', doing: 'read', result: z.array(z.unknown()) })

  test('a new organization has a plan and a model, and jobs connect it to the local emulators of Cloudflare and GitHub', async () => {
    const id = await newOrganization()
    const settings = await database.db
      .selectFrom('organization_settings')
      .selectAll()
      .where('org_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(settings.plan, 'enterprise')
    const model = await database.db
      .selectFrom('model_connections')
      .selectAll()
      .where('org_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      [model.provider, model.is_default, model.default_model],
      ['scaffold', true, 'scaffold-1'],
    )
    const waiting = await database.pool.query<{ name: string }>(
      `select name from pgboss.job where singleton_key = $1 order by name`,
      [id],
    )
    assert.deepEqual(
      waiting.rows.map((job) => job.name),
      ['connect-local-cloud', 'connect-local-code-host'],
    )
  })

  test('while the local emulators are disabled, a new organization has no connection to a model, Cloudflare or GitHub', async () => {
    const off = { ...platform, config: { ...platform.config, localWorld: false } }
    const id = await newOrganization(off)
    const models = await database.db
      .selectFrom('model_connections')
      .select('id')
      .where('org_id', '=', id)
      .execute()
    const waiting = await database.pool.query(`select 1 from pgboss.job where singleton_key = $1`, [id])
    assert.deepEqual([models.length, waiting.rowCount], [0, 0])
  })

  test('a new organization is connected to the local Cloudflare emulator without a consent page, and its tokens are stored encrypted', async () => {
    const id = await newOrganization()
    await assert.rejects(platform.accounts.requireCloud(id), /No cloud account is connected/)
    await connect(id)
    const row = await readConnection(database.db, id, 'cloudflare')
    assert.deepEqual(
      [row?.account_id, row?.account_name, row?.subdomain, row?.profile, row?.scopes],
      ['acc1', 'Acme', 'acme', 'local', ['a.read', 'b.write']],
    )
    assert.doesNotMatch(JSON.stringify(row), /access-|refresh-/)
    await connect(id)
    assert.equal(
      (await readConnection(database.db, id, 'cloudflare'))?.id,
      row?.id,
      'a repeat changes nothing',
    )
  })

  test('an expired Cloudflare access token is refreshed once, even when several calls need it at the same time', async () => {
    const id = await newOrganization()
    await connect(id)
    stub.refreshes = 0
    stub.access = 'revoked'
    const clouds = await Promise.all(
      [1, 2, 3].map(() => platform.accounts.openCloud({ orgId: id, actor: 'a' })),
    )
    const answers = await Promise.all(clouds.map(readAccounts))
    assert.deepEqual(
      answers.map((answer) => answer.length),
      [1, 1, 1],
    )
    assert.equal(stub.refreshes, 1)
  })

  test('two processes with the same expired Cloudflare token refresh it only once, even when the refresh takes longer than the lock and statement timeouts of other queries', async () => {
    const id = await newOrganization()
    await connect(id)
    const processes = [1, 2].map(() => openDatabase({ url: database.url, log: silentLog }))
    // As if the exchange below took longer than the statement timeout of the pool, which is 10 s.
    for (const { pool } of processes)
      pool.on('connect', (client) => void client.query('set statement_timeout = 1000'))
    try {
      const clouds = await Promise.all(
        processes.map(({ db }) => openAccounts({ ...platform, db }).openCloud({ orgId: id, actor: 'a' })),
      )
      stub.refreshes = 0
      stub.access = 'revoked'
      // The exchange of the refresh token takes longer than the lock timeout of other queries.
      stub.exchangeMs = 3_300
      const answers = await Promise.all(clouds.map(readAccounts))
      assert.deepEqual([answers.map((answer) => answer.length), stub.refreshes], [[1, 1], 1])
      assert.equal((await readConnection(database.db, id, 'cloudflare'))?.status, 'connected')
    } finally {
      stub.exchangeMs = 0
      await Promise.all(processes.map((one) => one.close()))
    }
  })

  test('when Cloudflare refuses to refresh a token, the error asks the person to reconnect, and further calls throw without a request', async () => {
    const id = await newOrganization()
    await connect(id)
    stub.access = stub.refresh = 'revoked'
    const cloud = await platform.accounts.openCloud({ orgId: id, actor: 'a' })
    await assert.rejects(readAccounts(cloud), /Connect it again/)
    assert.equal((await readConnection(database.db, id, 'cloudflare'))?.status, 'needs_reconnect')
    await assert.rejects(platform.accounts.requireCloud(id), /connected again/)
  })
})
