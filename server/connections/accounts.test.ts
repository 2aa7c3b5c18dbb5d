import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { listAccounts } from '../cloudflare/accounts.ts'
import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import { openReceiver } from '../testing/receiver.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { type DescribedConnections, type ConnectionsApp, deployedIn, openConnectionsApp } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('the connected cloud account', () => {
  let it: ConnectionsApp
  before(async () => {
    it = await openConnectionsApp()
  })
  after(() => it.close())

  const consent = (account: string[], grant?: string[]) => ({
    query: '?prompt=consent',
    decision: { account, ...(grant && { grant }) },
  })
  const accountsOf = async (person: Awaited<ReturnType<ConnectionsApp['newPerson']>>) =>
    (
      await person.call<{ accounts: { id: string }[]; chosen: string | null; locked: string | null }>(
        'GET /connections/cloudflare/accounts',
      )
    ).data

  test('after a Cloudflare sign-in with access to several accounts a person has to choose an account, and no account is used before that', async () => {
    leaves({ activity: { 'connection.account_chosen': 1, 'connection.reconnected': 2 } })
    const person = await it.newPerson()
    const [a, b] = [await it.newAccount('Alpha'), await it.newAccount('Beta')]
    assert.deepEqual(await it.signIn(person, consent([a.id, b.id])), {
      connected: 'cloudflare',
      choose: 'account',
    })
    assert.equal((await it.look(person)).cloudflare.account, null)
    const undecided = await person.call('GET /connections/cloudflare/r2')
    assert.deepEqual([undecided.status, undecided.error?.code], [409, 'conflict'])
    assert.match(undecided.error?.message ?? '', /Choose under Connections/)
    const listed = await accountsOf(person)
    assert.deepEqual(
      [listed.accounts.map(({ id }) => id), listed.chosen, listed.locked],
      [[a.id, b.id], null, null],
    )

    const chosen = await person.call<DescribedConnections>('PUT /connections/cloudflare/account', {
      accountId: b.id,
    })
    assert.deepEqual([chosen.data.cloudflare.account?.name, chosen.status], ['Beta', 200])
    assert.equal((await person.call('GET /connections/cloudflare/r2')).status, 200)
    const unknown = await person.call('PUT /connections/cloudflare/account', { accountId: 'f'.repeat(32) })
    assert.deepEqual([unknown.status, unknown.error?.code], [400, 'invalid_request'])
    assert.match(unknown.error?.message ?? '', /^accountId: /)
    assert.equal((await it.actionsOf(person)).at(-1), 'cloudflare account_chosen')
    // A second sign-in keeps the account that was chosen.
    assert.deepEqual(await it.signIn(person, consent([a.id, b.id])), { connected: 'cloudflare' })
    assert.equal((await it.look(person)).cloudflare.account?.id, b.id)
  })

  /**
   * Runs `work` while the local emulator of Cloudflare is configured as if it were Cloudflare itself. Both have the
   * same protocol.
   */
  const asReal = async (work: (consent: (account: string[]) => object) => Promise<void>) => {
    const { real, cloudflare } = it.app.config
    it.app.config.real = { ...real, cloudflare: { ...cloudflare, name: 'real' } }
    await work((account) => ({ query: '?profile=real', decision: { account } }))
    it.app.config.real = real
  }

  test('with projects deployed in a real Cloudflare account, no other account can be connected by selection, sign-in or token', () =>
    asReal(async (consent) => {
      leaves({
        events: { 'project.created': 1 },
        activity: {
          'connection.account_chosen': 1,
          'connection.connected': 1,
          'connection.disconnected': 1,
          'connection.reconnected': 1,
        },
      })
      const person = await it.newPerson()
      const own = (await it.rowOf(person))?.account_id ?? ''
      const other = await it.newAccount('Other')
      await it.signIn(person, consent([own, other.id]))
      await person.call('PUT /connections/cloudflare/account', { accountId: own })
      await deployedIn(it, person, own)
      const row = await it.rowOf(person)
      const refused = await person.call('PUT /connections/cloudflare/account', { accountId: other.id })
      assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
      assert.match(refused.error?.message ?? '', new RegExp(own))
      assert.equal((await accountsOf(person)).locked, own)
      assert.deepEqual(await it.signIn(person, consent([other.id])), {
        provider: 'cloudflare',
        error: 'account_locked',
      })
      const pasted = await person.call('POST /connections/cloudflare/token', { token: other.token })
      assert.deepEqual([pasted.status, pasted.error?.code], [409, 'conflict'])
      assert.deepEqual(await it.rowOf(person), row)
      // Another account is refused even after the connected one was disconnected, because projects are still deployed there.
      await person.call('DELETE /connections/cloudflare')
      assert.equal((await it.signIn(person, consent([other.id])))['error'], 'account_locked')
      assert.deepEqual(await it.signIn(person, consent([other.id, own])), { connected: 'cloudflare' })
      assert.equal((await it.look(person)).cloudflare.account?.id, own)
    }))

  test('while projects are deployed only in the local Cloudflare emulator, any other Cloudflare account can be connected', async () => {
    leaves({
      events: { 'project.created': 1 },
      activity: { 'connection.account_chosen': 1, 'connection.reconnected': 2 },
    })
    const person = await it.newPerson()
    const own = (await it.rowOf(person))?.account_id ?? ''
    const [other, third] = [await it.newAccount('Other'), await it.newAccount('Third')]
    await deployedIn(it, person, own)
    assert.equal((await accountsOf(person)).locked, null)
    assert.equal(
      (await person.call('POST /connections/cloudflare/token', { token: other.token })).status,
      200,
    )
    assert.deepEqual(await it.signIn(person, consent([own, third.id])), {
      connected: 'cloudflare',
      choose: 'account',
    })
    const chosen = await person.call<DescribedConnections>('PUT /connections/cloudflare/account', {
      accountId: third.id,
    })
    assert.deepEqual([chosen.status, chosen.data.cloudflare.account?.id], [200, third.id])
    // Choosing another account does not move a project. The project's next production deployment moves it.
    const moves = await person.call<{ state: string; from: { id: string } }[]>(
      'GET /connections/cloudflare/moves',
    )
    assert.deepEqual(
      moves.data.map(({ state, from }) => [state, from.id]),
      [['waiting', own]],
    )
  })

  test('a Cloudflare account in which no project is deployed to production can be replaced by another one', () =>
    asReal(async (consent) => {
      leaves({ events: { 'project.created': 1 }, activity: { 'connection.reconnected': 2 } })
      const person = await it.newPerson()
      await it.signIn(person, consent([(await it.rowOf(person))?.account_id ?? '']))
      await deployedIn(it, person, (await it.rowOf(person))?.account_id ?? '')
      await it.app.platform.db
        .updateTable('projects')
        .set({ live_at: null, lifecycle: 'offline' })
        .where('org_id', '=', person.organizationId)
        .execute()
      assert.deepEqual(await it.signIn(person, consent(['new'])), { connected: 'cloudflare' })
    }))

  test("OAuth scopes that Cloudflare did not grant are listed, and the R2 status has Cloudflare's message on refused access", async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'connection.reconnected': 2 } })
    const person = await it.newPerson()
    const own = (await it.rowOf(person))?.account_id ?? ''
    const granted = CORE_SCOPES.filter((scope) => scope !== 'r2.write')
    await it.signIn(person, consent([own], granted))
    assert.deepEqual((await it.look(person)).cloudflare.missingScopes, ['r2.write'])
    const { data } = await person.call('GET /connections/cloudflare/r2')
    assert.deepEqual(data, { state: 'refused', message: 'Authentication error: the token lacks r2.read.' })
    assert.equal((await it.look(person)).cloudflare.status, 'connected')
    // Enable a capability that requires an additional scope.
    await it.app.platform.db
      .insertInto('capabilities')
      .values({
        project_id: (await person.call<{ id: string }>('POST /projects', {})).data.id,
        key: 'queue',
        enabled: true,
        settings: JSON.stringify({}),
        state: 'idle',
        error: null,
        generation: 1,
        created_at: it.app.clock.now(),
      })
      .execute()
    assert.deepEqual((await it.look(person)).cloudflare.missingScopes, ['r2.write', 'queues.write'])
    await it.signIn(person)
    assert.deepEqual((await it.look(person)).cloudflare.missingScopes, [])
  })

  test('the status of Cloudflare Stream returns the storage used, or the reason why Stream cannot be used', async () => {
    const person = await it.newPerson()
    const { real } = it.app.config
    const answers = [
      {
        status: 200,
        body: { success: true, result: { totalStorageMinutes: 2.5, totalStorageMinutesLimit: 1000 } },
      },
      { status: 403, body: { success: false, errors: [{ code: 10000, message: 'Stream is not enabled' }] } },
      { status: 200, body: { success: true, result: [{ id: 'acc', name: 'Acme' }] } },
    ]
    const receiver = await openReceiver((res) => {
      const next = answers.shift()
      res.writeHead(next?.status ?? 500).end(JSON.stringify(next?.body))
    })
    it.app.config.real = {
      ...real,
      cloudflare: { ...real.cloudflare, api: `http://127.0.0.1:${receiver.port}` },
    }
    const row = it.app.platform.db.updateTable('connections')
    await row
      .set({ profile: 'real', account_id: 'acc' })
      .where('org_id', '=', person.organizationId)
      .execute()
    const used = await person.call('GET /connections/cloudflare/stream')
    const refused = await person.call('GET /connections/cloudflare/stream')
    it.app.config.real = real
    await receiver.close()
    assert.deepEqual(used.data, { state: 'ok', usage: { minutes: 2.5, minutesMax: 1000, videos: null } })
    assert.deepEqual(refused.data, { state: 'refused', message: 'Stream is not enabled.' })
    assert.deepEqual(
      receiver.received.map(({ path }) => path.split('?')[0]),
      ['/accounts/acc/stream/storage-usage', '/accounts/acc/stream/storage-usage', '/accounts'],
    )
  })

  test('a pasted token that belongs to a Cloudflare account is verified, and its permissions are determined', async () => {
    leaves({ activity: { 'connection.disconnected': 1, 'connection.reconnected': 2 } })
    const person = await it.newPerson()
    const paste = (token: string, more: object = {}) =>
      person.call<DescribedConnections>('POST /connections/cloudflare/token', { token, ...more })
    const full = await it.newAccount('Pasted')
    const { data, status } = await paste(full.token)
    assert.deepEqual(
      [status, data.cloudflare.method, data.cloudflare.account?.name, data.cloudflare.missingScopes],
      [200, 'token', 'Pasted', []],
    )
    assert.equal((await person.call('GET /connections/cloudflare/r2')).status, 200)
    const narrow = await it.newAccount('Narrow', ['workers-scripts.write'])
    const narrowed = (await paste(narrow.token)).data.cloudflare
    assert.deepEqual([narrowed.account?.name, narrowed.missingScopes], ['Narrow', ['r2.write']])

    const row = await it.rowOf(person)
    for (const token of ['local_madeup', `${full.token}x`]) {
      const refused = await paste(token)
      assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'])
      assert.match(refused.error?.message ?? '', /^token: /)
      assert.ok(!refused.error?.message.includes(token))
    }
    const elsewhere = await paste(full.token, { accountId: narrow.id })
    assert.match(elsewhere.error?.message ?? '', /^accountId: /)
    assert.deepEqual(await it.rowOf(person), row)
    const { data: gone } = await person.call<{ revoked: boolean }>('DELETE /connections/cloudflare')
    assert.equal(gone.revoked, false, 'a token belongs to whoever made it')
  })

  test('a pasted token without the prefix of the local emulator is sent to Cloudflare and never to the emulator', async () => {
    const person = await it.newPerson()
    const { real } = it.app.config
    it.app.config.real = { ...real, cloudflare: { ...real.cloudflare, api: 'http://127.0.0.1:1' } }
    const calls = await it.countCalls()
    const answer = await person.call('POST /connections/cloudflare/token', { token: 'a-real-one' })
    it.app.config.real = real
    assert.deepEqual([answer.status, answer.error?.code], [502, 'upstream_error'])
    assert.equal(await it.countCalls(), calls)
  })

  test('an expired Cloudflare access token is renewed, and once its tokens are revoked a person has to connect again', async () => {
    leaves({ activity: { 'connection.expired failed': 1, 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const before = await it.rowOf(person)
    const account = before?.account_id ?? ''
    await it.control('/tokens/expire', { account })
    assert.equal((await person.call('GET /connections/cloudflare/r2')).status, 200)
    assert.notEqual((await it.rowOf(person))?.token, before?.token)
    await it.control('/tokens/revoke', { account })
    const calls = await Promise.all([1, 2, 3].map(() => person.call('GET /connections/cloudflare/r2')))
    // The error of every call says that the account must be connected again.
    for (const { error } of calls) assert.match(error?.message ?? '', /[Cc]onnect(ed)? .*again/)
    const { cloudflare } = await it.look(person)
    assert.deepEqual([cloudflare.connected, cloudflare.status], [false, 'needs_reconnect'])
    assert.deepEqual((await it.actionsOf(person)).filter((one) => one === 'cloudflare expired').length, 1)
    await it.signIn(person)
    assert.equal((await it.rowOf(person))?.id, before?.id)
    assert.equal((await person.call('GET /connections/cloudflare/r2')).status, 200)
  })

  test('a job that began before the Cloudflare account was connected again uses the new tokens and does not mark them as invalid', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const cloud = await it.app.platform.accounts.openCloud({ orgId: person.organizationId, actor: 'a' })
    await it.control('/tokens/revoke', { account: cloud.accountId })
    await it.signIn(person)
    assert.equal((await listAccounts(cloud))[0]?.id, cloud.accountId)
    assert.equal((await it.look(person)).cloudflare.status, 'connected')
  })

  test('no token appears in logs, responses, the activity log or unencrypted in the database', async () => {
    leaves({
      activity: {
        'connection.account_chosen': 1,
        'connection.disconnected': 1,
        'connection.expired failed': 1,
        'connection.reconnected': 1,
      },
    })
    const lines: string[] = []
    const { platform } = it.app
    const quiet = platform.log
    platform.log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const person = await it.newPerson()
    const answers: string[] = []
    const ask = async (route: string, body?: object) =>
      answers.push(JSON.stringify(await person.call(route, body)))
    const secrets = async () => {
      const row = await it.rowOf(person)
      if (row === null) return []
      const open = (column: 'token' | 'refresh_token', text: string | null) =>
        text === null ? [] : [platform.keyring.open(text, tokenPlace(row, column))]
      return [...open('token', row.token), ...open('refresh_token', row.refresh_token)]
    }
    const held = await secrets()
    await it.control('/tokens/expire', { account: (await it.rowOf(person))?.account_id ?? '' })
    await ask('GET /connections/cloudflare/r2')
    held.push(...(await secrets()))
    const pasted = await it.newAccount('Canary')
    held.push(pasted.token)
    await ask('POST /connections/cloudflare/token', { token: pasted.token })
    await ask('PUT /connections/cloudflare/account', { accountId: pasted.id })
    await it.control('/tokens/revoke', { account: pasted.id })
    await ask('GET /connections/cloudflare/accounts')
    await ask('POST /connections/cloudflare/token', { token: pasted.token })
    await it.signIn(person, { query: '?prompt=consent', decision: { decision: 'deny' } })
    for (const route of ['GET /connections', 'GET /activity', 'DELETE /connections/cloudflare'])
      await ask(route)
    answers.push(await (await person.raw('GET /activity/export')).text())
    platform.log = quiet

    assert.equal(held.length, 5)
    assert.ok(lines.length > 0 && answers.length > 8)
    const kept: string[] = []
    const { rows: tables } = await platform.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    )
    for (const { name } of tables) {
      const { rows } = await platform.pool.query<{ text: string }>(`select t::text as text from ${name} t`)
      kept.push(...rows.map(({ text }) => text))
    }
    for (const secret of held)
      for (const [where, texts] of Object.entries({ lines, answers, kept }))
        assert.ok(!texts.some((text) => text.includes(secret)), `a token is in the ${where}`)
  })
})
