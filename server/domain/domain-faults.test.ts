import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import * as z from 'zod'
import { until } from '../releases/testing.ts'
import { leaves } from '../testing/effects.ts'
import { ATTACHED, type DomainApp, type DomainProject, openDomainApp } from './testing.ts'
import { watchDomains } from './watch.ts'

describe('custom domains when calls to the account fail or a person changes a domain in the account', () => {
  let cloud: DomainApp
  before(async () => {
    cloud = await openDomainApp()
  })
  after(() => cloud.close())
  afterEach(() => cloud.control('DELETE', '/faults'))

  const { signal } = new AbortController()

  test('the domain state tells whether the Cloudflare account is unreachable, has to be connected again or is not connected', async () => {
    leaves({ activity: { 'connection.expired failed': 1, 'domain.removed': 1, 'domain.set': 2 } })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    const injectFault = (times: number, wish: object) =>
      cloud.control('POST', '/faults', {
        match: { provider: 'cloudflare', account: one.account.id, times },
        do: wish,
      })
    await injectFault(1000, { status: 503 })
    const away = await one.domain.status(true)
    assert.equal(away.state, 'unreachable')
    assert.match(away.message ?? '', /Try again/)
    assert.equal((await one.domain.onboard(`x-${one.host}`)).error?.code, 'upstream_error')
    await cloud.control('DELETE', '/faults')
    cloud.app.clock.advance(11_000)
    assert.equal((await one.domain.status()).state, 'pending_ship', 'a failure is not kept for a minute')
    const { account } = one
    await cloud.control('POST', '/tokens/narrow', { account: account.id, scopes: ['workers-scripts.write'] })
    const narrow = await one.domain.status(true)
    assert.equal(narrow.state, 'needs_reconnect')
    assert.match(narrow.message ?? '', /Grant the permission Zone: Edit/)
    const other = await one.domain.onboard(`x-${one.host}`)
    assert.deepEqual([other.status, other.data.state], [200, 'needs_reconnect'])
    await cloud.app.platform.db
      .updateTable('connections')
      .set({ scopes: ['workers-scripts.write'] })
      .where('org_id', '=', one.person.organizationId)
      .execute()
    const { data } = await one.person.call<{ cloudflare: { missingScopes: string[] } }>('GET /connections')
    assert.ok(data.cloudflare.missingScopes.includes('zone.write'), 'connecting again asks for it')
    await cloud.control('POST', '/tokens/revoke', { account: account.id })
    assert.equal((await one.domain.status(true)).state, 'needs_reconnect')
    assert.equal((await one.domain.status()).state, 'needs_reconnect', 'the connection itself knows by now')
    await cloud.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', one.person.organizationId)
      .execute()
    assert.equal((await one.domain.status()).state, 'no_connection')
    assert.equal((await one.domain.remove()).status, 200, 'a wish needs no account to be dropped')
  })

  test('despite lost responses, refusals and crashes a custom domain is attached once or not at all', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...ATTACHED, 'domain.attach': 2, 'domain.attach failed': 1, 'project.deployed': 1 },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    const failPuts = (wish: object, times = 1) =>
      cloud.control('POST', '/faults', {
        match: { provider: 'cloudflare', method: 'PUT', path: '/workers/domains', times },
        do: wish,
      })
    await failPuts({ status: 400, code: 100999 })
    await one.ship()
    assert.match((await one.domain.status(true)).message ?? '', /refused to attach/)
    assert.deepEqual(
      await resourceStates(one),
      [],
      'after a clear refusal the name is free for other projects',
    )

    await cloud.control('DELETE', '/faults')
    await failPuts({ commitThenDrop: true })
    assert.equal((await one.domain.attach()).data.state, 'provisioning')
    assert.deepEqual(await resourceStates(one), ['ok'])

    // Create the state that a process leaves when it dies after it stored the row and before it called Cloudflare.
    await forgetAtProvider(one)
    const { db } = cloud.app.platform
    await db
      .updateTable('resources')
      .set({ state: 'creating', provider_id: null })
      .where('project_id', '=', one.project.id)
      .where('kind', '=', 'custom_domain')
      .execute()
    await watchDomains.run(cloud.app.platform, signal)
    assert.deepEqual(
      [await resourceStates(one), (await cloud.attachedIn(one.account.id)).length],
      [['ok'], 1],
    )

    // Create the state that a process leaves when it dies while it has the lease, which then expires.
    await db
      .insertInto('project_leases')
      .values({
        project_id: one.project.id,
        org_id: one.person.organizationId,
        purpose: 'domain',
        holder: 'dead',
        leased_until: new Date(Date.now() + 1_000),
      })
      .execute()
    const both = await Promise.all([one.domain.attach(), one.domain.attach()])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await cloud.attachedIn(one.account.id)).length, 1)
  })

  test('a custom domain that was detached in Cloudflare is attached again, but stays detached once it is removed in Slipway', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        ...ATTACHED,
        'domain.active': 1,
        'domain.attach': 3,
        'domain.detach': 2,
        'domain.inactive': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'project.reconciled': 1,
        'resource.removed': 1,
        'worker.delete': 1,
      },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    await one.ship()
    await cloud.certify(one.host)
    assert.equal((await one.domain.status(true)).state, 'active')
    await forgetAtProvider(one)
    const lost = await one.domain.status(true)
    const { data: project } = await one.person.call<{ url: string }>(`GET ${one.path}`)
    assert.deepEqual([lost.state, project.url.includes(one.host)], ['pending_attach', false])
    const repaired = await one.person.call<{ repaired: { kind: string; name: string }[] }>(
      `POST ${one.path}/reconcile`,
    )
    assert.deepEqual(
      repaired.data.repaired.map(({ kind, name }) => [kind, name]),
      [['custom_domain', one.host]],
    )
    assert.equal((await one.domain.status(true)).state, 'provisioning')

    const { data } = await one.person.call<{ managed: { id: string; kind: string }[] }>(
      `GET ${one.path}/deployments`,
    )
    const id = data.managed.find(({ kind }) => kind === 'custom_domain')?.id
    assert.equal((await one.person.call(`DELETE ${one.path}/resources/${id}`)).status, 200)
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
    assert.equal((await one.domain.status(true)).state, 'pending_attach')

    assert.equal((await one.domain.attach()).status, 200)
    const gone = await one.person.call<{ teardown: { remaining: number; removed: { kind: string }[] } }>(
      `DELETE ${one.path}`,
    )
    assert.deepEqual(
      [gone.data.teardown.remaining, gone.data.teardown.removed[0]?.kind],
      [0, 'custom_domain'],
    )
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
  })

  test('while the account refuses calls or is not connected, a custom domain stays attached and cannot be removed', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        ...ATTACHED,
        'domain.attach': 1,
        'project.deployed': 1,
      },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    await one.ship()
    const restore = await cloud.failCalls(one.account.id, { status: 400 })
    for (const change of [one.domain.attach, one.domain.remove]) {
      const failed = await change()
      assert.deepEqual([failed.status, failed.error?.code], [502, 'upstream_error'])
    }
    await restore()
    await cloud.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', one.person.organizationId)
      .execute()
    const refused = await one.domain.remove()
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.equal((await cloud.attachedIn(one.account.id)).length, 1)
    assert.equal((await one.domain.status()).hostname, one.host)
  })

  test('a host name that is set while another one is being attached is refused, so no attached host name is lost from view', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...ATTACHED, 'domain.attach': 1, 'project.deployed': 1 },
      jobs: { deploy: 1 },
    })
    const one = await cloud.newProject()
    await one.ship()
    await one.domain.onboard(one.host)
    await cloud.control('POST', '/faults', {
      match: { provider: 'cloudflare', method: 'GET', path: '/workers/domains', times: 1 },
      do: { delayMs: 2_000 },
    })
    const attaching = one.domain.attach()
    const { pool } = cloud.app.platform
    await until(async () => {
      const held = await pool.query('select from project_leases where project_id = $1', [one.project.id])
      return held.rowCount === 1
    })
    const replaced = await one.domain.onboard(`x-${one.host}`)
    assert.equal((await attaching).status, 200)
    assert.deepEqual(
      (await cloud.attachedIn(one.account.id)).map(({ hostname }) => hostname),
      [(await one.domain.status()).hostname],
    )
    assert.deepEqual([replaced.status, replaced.error?.code], [409, 'conflict'])
  })

  const resourceStates = async ({ project }: DomainProject) => {
    const rows = await cloud.app.platform.db
      .selectFrom('resources')
      .select('state')
      .where('project_id', '=', project.id)
      .where('kind', '=', 'custom_domain')
      .execute()
    return rows.map(({ state }) => state)
  }
})

async function forgetAtProvider(one: DomainProject): Promise<void> {
  const account = await one.cloud()
  const path = '/accounts/:account/workers/domains'
  const domains = await account.call({
    method: 'GET',
    path,
    doing: 'list domains',
    result: z.array(z.looseObject({ id: z.string() })),
  })
  for (const { id } of domains)
    await account.call({
      method: 'DELETE',
      path: `${path}/${id}`,
      doing: 'remove a domain',
      result: z.unknown(),
      write: null,
    })
}
