import assert from 'node:assert/strict'
import { after, afterEach, before, describe, mock, test } from 'node:test'
import { memoryAccount, refusedCall } from '../cloudflare/testing.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { leaves } from '../testing/effects.ts'
import { readDomain } from './domains.ts'
import { type DomainProject, domainStatus } from './status.ts'

const HOST = 'app.plants.test'
const ZONE = {
  id: 'zone',
  name: 'plants.test',
  status: 'active',
  name_servers: ['one.ns.test', 'two.ns.test'],
}
const PENDING = { ...ZONE, status: 'pending' }

describe('the status of a custom domain', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  afterEach(() => mock.restoreAll())
  after(() => app.close())

  /** A live project with a domain, in an account whose zone, worker of the host name and certificate a test changes in `account`. */
  async function liveProject() {
    const person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const { db, clock } = app.platform
    const project: DomainProject = {
      id: data.id,
      org_id: person.organizationId,
      name: 'Plants',
      slug: data.slug,
      lifecycle: 'live',
    }
    await db.updateTable('projects').set({ lifecycle: 'live' }).where('id', '=', project.id).execute()
    const row = { project_id: project.id, org_id: project.org_id, hostname: HOST, created_at: clock.now() }
    await db
      .insertInto('domains')
      .values({ ...row, facts: null, seen_at: null, zone_checked_at: null, url: null, problem: null })
      .execute()
    const account = {
      zone: ZONE as typeof ZONE | null,
      service: data.slug as string | null,
      certificate: 'active',
    }
    const interrupts: { [call: string]: () => unknown } = {}
    const memory = memoryAccount(async (call) => {
      await interrupts[call]?.()
      if (call === 'GET /zones') return account.zone === null ? [] : [account.zone]
      if (call === 'GET /accounts/:account/workers/domains')
        return account.service === null
          ? []
          : [{ id: 'dom', hostname: HOST, service: account.service, cert_id: 'pack' }]
      if (call.endsWith('/certificate_packs'))
        return [{ id: 'pack', hosts: [HOST], status: account.certificate }]
      return []
    })
    const openCloud = async () => memory.cloud
    const platform = { ...app.platform, accounts: { ...app.platform.accounts, openCloud } }
    return {
      person,
      project,
      account,
      interrupts,
      calls: memory.calls,
      status: (fresh = false) => domainStatus(platform, project, { actor: 'Ada', fresh }),
      row: () => readDomain(db, project),
      change: (set: { hostname?: string; facts?: string }) =>
        db.updateTable('domains').set(set).where('project_id', '=', project.id).execute(),
      url: async () => (await person.call<{ url: string | null }>(`GET /projects/${project.id}`)).data.url,
    }
  }

  test('a domain inspection is cached for a minute, a failed one for ten seconds; a fresh request repeats either after five seconds', async () => {
    leaves({ activity: { 'domain.active': 1 } })
    const one = await liveProject()
    const inspections = async (fresh: boolean) => {
      const before = one.calls.length
      await one.status(fresh)
      return one.calls.length > before
    }
    for (const isFailure of [false, true]) {
      const fail = () => {
        throw refusedCall(503)
      }
      if (isFailure) one.interrupts['GET /zones'] = fail
      app.clock.advance(60_000)
      assert.equal(await inspections(false), true)
      const cachedMs = isFailure ? 10_000 : 60_000
      app.clock.advance(cachedMs - 1)
      assert.equal(await inspections(false), false)
      app.clock.advance(1)
      assert.equal(await inspections(false), true)
      app.clock.advance(4_999)
      assert.equal(await inspections(true), false)
      app.clock.advance(1)
      assert.equal(await inspections(true), true)
    }
  })

  test('a stored result of a domain inspection that has an unknown format is replaced by a new inspection', async () => {
    leaves({ activity: { 'domain.active': 1 } })
    const one = await liveProject()
    for (const facts of ['', 'null', '[]', '{"zone":"plants.test"}', '{"__proto__":{}}']) {
      await one.status()
      await one.change({ facts })
      assert.equal((await one.status()).state, 'active', facts)
    }
  })

  test('a host name set while the former one is being inspected gets its own domain status, not that of the former name', async () => {
    const one = await liveProject()
    const other = 'shop.plants.test'
    one.interrupts['GET /accounts/:account/workers/domains'] = () => one.change({ hostname: other })
    const { hostname, state, url, certificate } = await one.status()
    assert.deepEqual(
      { hostname, state, url, certificate },
      {
        hostname: other,
        state: 'pending_attach',
        url: null,
        certificate: null,
      },
    )
    assert.match((await one.row())?.facts ?? '', /"service":null/)
  })

  test('a domain that is removed during its inspection stays removed, and its status is that of a project without a domain', async () => {
    const one = await liveProject()
    one.interrupts['GET /zones'] = () =>
      app.platform.db.deleteFrom('domains').where('project_id', '=', one.project.id).execute()
    assert.deepEqual([(await one.status()).state, await one.row()], ['no_domain', null])
    assert.equal(await one.url(), null)
  })

  test('a cloud account that does not respond in time makes the domain unreachable and keeps the address of the app', async () => {
    leaves({ activity: { 'domain.active': 1 } })
    const one = await liveProject()
    await one.status()
    assert.equal(await one.url(), `https://${HOST}`)
    app.clock.advance(60_000)
    const timeout = new AbortController()
    mock.method(AbortSignal, 'timeout', () => timeout.signal)
    one.interrupts['GET /zones'] = () => {
      timeout.abort(new DOMException('Timed out', 'TimeoutError'))
      timeout.signal.throwIfAborted()
    }
    const late = await one.status()
    assert.deepEqual(
      [late.state, late.message],
      ['unreachable', 'The cloud account did not respond in time. Try again.'],
    )
    assert.equal(await one.url(), `https://${HOST}`)
  })

  test("a fresh request for a domain's status asks Cloudflare to check name servers at most once in five minutes", async () => {
    const one = await liveProject()
    one.account.zone = PENDING
    const checks = async (fresh: boolean) => {
      app.clock.advance(10_000)
      await one.status(fresh)
      return one.calls.filter((call) => call.startsWith('PUT ')).length
    }
    app.clock.advance(60_000)
    assert.equal(await checks(false), 0)
    assert.equal(await checks(true), 1)
    assert.equal(await checks(true), 1)
    app.clock.advance(300_000)
    assert.equal(await checks(true), 2)
  })

  test('a name server check that fails or takes too long does not replace the result of the domain inspection', async () => {
    const timeout = new AbortController()
    mock.method(AbortSignal, 'timeout', () => timeout.signal)
    const one = await liveProject()
    one.account.zone = PENDING
    for (const fail of [
      () => {
        throw refusedCall(429)
      },
      () => {
        timeout.abort(new DOMException('Timed out', 'TimeoutError'))
        timeout.signal.throwIfAborted()
      },
    ]) {
      app.clock.advance(300_000)
      one.interrupts['PUT /zones/zone/activation_check'] = fail
      const { state, nameServers } = await one.status(true)
      assert.deepEqual([state, nameServers], ['pending_nameservers', ZONE.name_servers])
    }
  })

  test('concurrent inspections of a domain that became active or inactive change the address once and record it once', async () => {
    leaves({ activity: { 'domain.active': 1, 'domain.inactive': 1 } })
    const one = await liveProject()
    await Promise.all([one.status(), one.status(), one.status()])
    assert.equal(await one.url(), `https://${HOST}`)
    one.account.certificate = 'pending_validation'
    app.clock.advance(60_000)
    await Promise.all([one.status(), one.status(), one.status()])
    assert.notEqual(await one.url(), `https://${HOST}`)
  })

  test('an internal error during a domain inspection is thrown and not stored as a state of the domain', async () => {
    const one = await liveProject()
    one.interrupts['GET /zones'] = () => {
      throw new TypeError('a fault of ours')
    }
    await assert.rejects(() => one.status(), TypeError)
    assert.equal((await one.row())?.facts, null)
  })

  test('of two simultaneous requests that remove a custom domain only one is in the activity log', async () => {
    leaves({ activity: { 'domain.removed': 1 } })
    const { person, project, row } = await liveProject()
    // Both requests have read the domain before one of them gets its lease.
    await app.platform.db
      .insertInto('project_leases')
      .values({
        project_id: project.id,
        org_id: project.org_id,
        purpose: 'domain',
        holder: 'another',
        leased_until: new Date(Date.now() + 1_000),
      })
      .execute()
    const remove = () => person.call<{ state: string }>(`DELETE /projects/${project.id}/domain`)
    const removed = await Promise.all([remove(), remove()])
    assert.deepEqual(
      removed.map(({ data }) => data.state),
      ['no_domain', 'no_domain'],
    )
    assert.equal(await row(), null)
  })
})
