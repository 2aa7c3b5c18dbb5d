import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import * as z from 'zod'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { wordAt } from '../releases/testing.ts'
import { ATTACHED, type DomainApp, type DomainProject, openDomainApp } from './testing.ts'
import { watchDomains } from './watch.ts'
import { leaves } from '../testing/effects.ts'

describe('custom domains', () => {
  let cloud: DomainApp
  before(async () => {
    cloud = await openDomainApp()
  })
  after(() => cloud.close())
  afterEach(() => cloud.control('DELETE', '/faults'))

  const { signal } = new AbortController()
  const readUrls = async ({ person, path }: DomainProject) =>
    (await person.call<{ url: string | null; customDomain: string | null }>(`GET ${path}`)).data
  const listActions = async ({ person }: DomainProject) => {
    const { data } = await person.call<{ items: { action: string; target: string; status: string }[] }>(
      'GET /activity?limit=200',
    )
    return data.items.filter(({ action }) => action.startsWith('domain.')).toReversed()
  }
  const statusAt = async (url: string) => {
    const answer = await cloudFetch(url)
    await answer.body?.cancel()
    return answer.status
  }
  const portOf = (url: string) => new URL(url).port

  test("a production deployment attaches the custom domain, and the app's address changes once the certificate is ready", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...ATTACHED,
        'domain.active': 1,
        'domain.attach': 1,
        'domain.detach': 1,
        'domain.removed': 1,
        'project.deployed': 2,
        'worker.deploy': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    const { host, domain } = one
    assert.equal((await domain.status()).state, 'no_domain')
    const set = await domain.onboard(host.toUpperCase())
    assert.deepEqual([set.status, set.data.state, set.data.hostname], [200, 'pending_ship', host])
    assert.equal((await domain.attach()).error?.code, 'conflict')

    const own = await one.ship('one')
    const custom = `http://${host}:${portOf(own)}`
    assert.deepEqual(await cloud.attachedIn(one.account.id), [{ hostname: host, service: one.project.slug }])
    const attached = await domain.status()
    assert.deepEqual([attached.state, attached.url, attached.message], ['provisioning', null, null])
    assert.equal((await readUrls(one)).url, own, 'no visitor is sent to an address without a certificate')
    await cloud.certify(host)
    assert.equal((await domain.status()).state, 'provisioning', 'as seen in the last minute')
    const active = await domain.status(true)
    assert.deepEqual([active.state, active.url], ['active', custom])
    assert.deepEqual(await readUrls(one), { ...(await readUrls(one)), url: custom, customDomain: host })
    const deploy = await one.person.call<{ url: string }>(`GET ${one.path}/deploy`)
    assert.equal(deploy.data.url, custom)
    assert.equal(await wordAt(custom), 'one')

    const { data } = await one.person.call<{ managed: { kind: string; name: string; status: string }[] }>(
      `GET ${one.path}/deployments`,
    )
    assert.deepEqual(
      data.managed.filter(({ kind }) => kind === 'custom_domain').map(({ name, status }) => [name, status]),
      [[host, 'ok']],
    )
    const countPuts = () => cloud.countCalls('PUT', '/workers/domains')
    const before = await countPuts()
    assert.equal(await one.ship('two'), custom)
    assert.deepEqual(
      [await countPuts(), await wordAt(custom)],
      [before, 'two'],
      'what leads here is left alone',
    )
    const events = await cloud.app.platform.db
      .selectFrom('events')
      .select('body')
      .where('org_id', '=', one.person.organizationId)
      .where('type', '=', 'project.deployed')
      .orderBy('id')
      .execute()
    const urls = events.map(({ body }) => (JSON.parse(body) as { data: { url: string } }).data.url)
    assert.deepEqual(urls, [own, custom])

    const removed = await domain.remove()
    assert.deepEqual([removed.status, removed.data.state], [200, 'no_domain'])
    assert.equal((await readUrls(one)).url, own)
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
    assert.deepEqual([await statusAt(custom), await wordAt(own)], [404, 'two'])
    assert.equal((await domain.remove()).data.state, 'no_domain')
    assert.deepEqual(
      (await listActions(one)).map(({ action, target, status }) => `${action} ${target} ${status}`),
      ['set', 'attach', 'active', 'detach', 'removed'].map((word) => `domain.${word} ${host} ok`),
    )
  })

  test('the domain status lists the name servers to set, and two fresh requests in a row make Cloudflare check the name servers once', async () => {
    leaves({ activity: { 'domain.set': 1 } })
    const one = await cloud.newProject()
    const zone = `${one.account.subdomain}-new.localhost`
    const set = await one.domain.onboard(`www.${zone}`)
    assert.deepEqual(
      [set.data.state, set.data.zone],
      ['pending_nameservers', { name: zone, status: 'pending' }],
    )
    assert.equal(set.data.nameServers.length, 2)
    const countChecks = () => cloud.countCalls('PUT', '/activation_check')
    const before = await countChecks()
    assert.equal((await one.domain.status()).state, 'pending_nameservers')
    assert.equal(await countChecks(), before, 'looking alone asks for nothing')
    await one.domain.status(true)
    await one.domain.status(true)
    assert.equal(await countChecks(), before + 1)
    await cloud.control('POST', '/clock', { advanceMs: 6_000 })
    const ready = await one.domain.status(true)
    assert.deepEqual([ready.state, ready.nameServers], ['pending_ship', []])
    await cloud.control('POST', `/zones/${zone}/advance`, { to: 'moved' })
    const moved = await one.domain.status(true)
    assert.equal(moved.state, 'pending_nameservers')
    assert.match(moved.message ?? '', /moved away/)
  })

  test('the status of a domain is cached for a minute, and for a few seconds when a fresh status is requested', async () => {
    leaves({ activity: { 'domain.set': 1 } })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    const countZoneReads = () => cloud.countCalls('GET', '/zones')
    await one.domain.status(true)
    const before = await countZoneReads()
    await one.domain.status()
    await one.person.call(`GET ${one.path}/domain/status?fresh=1`)
    assert.equal(await countZoneReads(), before)
    cloud.app.clock.advance(61_000)
    await one.domain.status()
    assert.ok((await countZoneReads()) > before)
  })

  test('an invalid host name of a custom domain is refused with its reason', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'domain.set': 3 } })
    const one = await cloud.newProject()
    const onboardOutcome = async (hostname: string) => {
      const { status, error } = await one.domain.onboard(hostname)
      return `${status} ${error?.code} ${error?.message}`
    }
    assert.match(await onboardOutcome('https://example.com'), /^400 invalid_request hostname: /)
    assert.match(
      await onboardOutcome('app.example.com'),
      /^409 conflict .*has no domain for app\.example\.com/,
    )
    const setPlan = (name: 'free' | 'starter') =>
      cloud.app.platform.db
        .updateTable('organization_settings')
        .set({ plan: name })
        .where('org_id', '=', one.person.organizationId)
        .execute()
    await setPlan('free')
    assert.match(await onboardOutcome(one.host), /^402 payment_required/)
    await setPlan('starter')
    assert.equal((await one.domain.onboard(one.host)).status, 200)
    assert.equal((await one.domain.onboard(one.host)).status, 200, 'saying it again changes nothing')
    assert.equal((await listActions(one)).length, 1)
    const { data } = await one.person.call<{ id: string; slug: string }>('POST /projects', { name: 'Other' })
    const other = await cloud.describeProject(one.person, data)
    assert.match((await other.domain.onboard(one.host)).error?.message ?? '', /domain of the project Plants/)
    assert.equal((await one.domain.onboard(`other-${one.host}`)).status, 200, 'a wish can be changed')
    assert.equal((await other.domain.onboard(one.host)).status, 200)
  })

  test('when two organizations set the same host name, only the first to attach it can use it, until that organization removes it', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 2,
        'domain.attach': 2,
        'domain.detach': 1,
        'domain.removed': 2,
        'domain.set': 3,
        'project.deployed': 2,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const [mine, theirs] = [await cloud.newProject(), await cloud.newProject()]
    const zone = `${mine.account.subdomain}-shared.test`
    for (const { cloud: open } of [mine, theirs]) await addZone(await open(), zone)
    const host = `www.${zone}`
    assert.equal((await mine.domain.onboard(host)).status, 200)
    assert.equal((await theirs.domain.onboard(host)).status, 200, 'a wish alone blocks nobody')
    await cloud.control('POST', `/zones/${zone}/advance`, { account: mine.account.id })
    await Promise.all([mine.ship(), theirs.ship()])
    assert.equal((await mine.domain.status(true)).state, 'provisioning')
    assert.equal((await theirs.domain.status(true)).state, 'pending_nameservers')
    // A host name must not be attached to two projects, even if the provider allows it.
    await cloud.control('POST', `/zones/${zone}/advance`, { account: theirs.account.id })
    const refused = await theirs.domain.attach()
    assert.deepEqual([refused.status, refused.error?.message.includes('another project')], [409, true])
    assert.deepEqual(await cloud.attachedIn(theirs.account.id), [])
    await theirs.domain.remove()
    assert.equal((await theirs.domain.onboard(host)).error?.code, 'conflict')
    await mine.domain.remove()
    assert.equal((await theirs.domain.onboard(host)).status, 200)
    assert.equal((await theirs.domain.attach()).data.state, 'provisioning')
  })

  test('an existing DNS record is reported and never overwritten, neither by attaching the domain nor by deploying', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...ATTACHED, 'domain.attach': 1, 'project.deployed': 1 },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    const record = await addRecord(await one.cloud(), one.host)
    await one.ship()
    const status = await one.domain.status(true)
    assert.deepEqual(
      [status.state, status.conflicts],
      ['pending_attach', [{ type: 'A', content: '192.0.2.1' }]],
    )
    assert.match(status.message ?? '', /A 192\.0\.2\.1.*not overwritten/)
    const refused = await one.domain.attach()
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
    await record.remove()
    assert.equal((await one.domain.attach()).data.state, 'provisioning')
  })

  test('a failed certificate of a custom domain is reported, and the app keeps the address of its worker', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...ATTACHED, 'domain.attach': 1, 'project.deployed': 1 },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    const host = `fail-cert.${one.account.subdomain}-demo.localhost`
    await one.domain.onboard(host)
    const own = await one.ship()
    await cloud.control('POST', '/clock', { advanceMs: 5_000 })
    const status = await one.domain.status(true)
    assert.deepEqual([status.state, status.certificate], ['provisioning', 'validation_timed_out'])
    assert.match(status.message ?? '', /could not be made/)
    assert.equal((await readUrls(one)).url, own)
  })

  test('archiving a project detaches its domain, and its next production deployment attaches it again', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deleted': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'domain.active': 4,
        'domain.attach': 2,
        'domain.detach': 2,
        'domain.set': 1,
        'project.archived': 1,
        'project.deleted': 1,
        'project.deployed': 2,
        'project.unarchived': 1,
        'worker.address': 'some',
        'worker.delete': 1,
        'worker.deploy': 'some',
        'worker.offline': 1,
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const one = await cloud.newProject()
    await one.domain.onboard(one.host)
    await one.ship()
    await cloud.certify(one.host)
    const { url } = await one.domain.status(true)
    assert.equal((await one.person.call(`POST ${one.path}/archive`)).status, 200)
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
    assert.deepEqual([(await one.domain.status()).state, await statusAt(url ?? '')], ['pending_ship', 404])
    assert.equal((await one.domain.attach()).error?.code, 'conflict')
    await one.person.call(`POST ${one.path}/unarchive`)
    await one.ship()
    await cloud.certify(one.host)
    await watchDomains.run(cloud.app.platform, signal)
    assert.equal((await readUrls(one)).url, url, 'the scheduled task saw the certificate by itself')
    await one.person.call(`DELETE ${one.path}`)
    assert.deepEqual(await cloud.attachedIn(one.account.id), [])
  })
})

type Account = Awaited<ReturnType<DomainProject['cloud']>>
const Made = z.looseObject({ id: z.string() })

const addZone = (account: Account, name: string) =>
  account.call({
    method: 'POST',
    path: '/zones',
    json: { name, account: { id: account.accountId } },
    doing: 'add a zone',
    result: Made,
    write: null,
  })

/** Adds a record directly at the provider, as a person would. */
async function addRecord(account: Account, name: string) {
  const zones = await account.call({
    method: 'GET',
    path: '/zones',
    query: { status: 'active' },
    doing: 'list zones',
    result: z.array(Made),
  })
  const path = `/zones/${zones[0]?.id}/dns_records`
  const write = { doing: 'change a record', result: Made, write: null }
  const record = { type: 'A', name, content: '192.0.2.1' }
  const { id } = await account.call({ method: 'POST', path, json: record, ...write })
  return { remove: () => account.call({ method: 'DELETE', path: `${path}/${id}`, ...write }) }
}
