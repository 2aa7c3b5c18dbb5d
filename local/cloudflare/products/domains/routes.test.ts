import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findScriptByCustomHost } from './store.ts'
import { type TestCloud, testCloud, uploadForm } from '../../../testing/cloud.ts'

interface DomainShape {
  id: string
  cert_id: string
  hostname: string
  service: string
  zone_id: string
}

describe('custom domains of workers', () => {
  let cloud: TestCloud
  let zone: string
  before(async () => {
    cloud = testCloud()
    const zones = (await cloud.call('GET', '/zones')).result as { id: string }[]
    zone = zones[0]?.id ?? ''
    for (const name of ['shop', 'blog', 'short-lived'])
      await cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm('export default {fetch(){}}'))
  })
  after(() => cloud.close())
  const attachDomain = (hostname: string, service = 'shop') =>
    cloud.call('PUT', '/A/workers/domains', { hostname, service, zone_id: zone, environment: 'production' })
  const listDomains = async (query = '') =>
    (await cloud.call('GET', `/A/workers/domains${query}`)).result as DomainShape[]
  const servedBy = (hostname: string) =>
    findScriptByCustomHost(cloud.store, hostname, cloud.now())?.name ?? null
  const listRecords = async (hostname: string) =>
    (await cloud.call('GET', `/zones/${zone}/dns_records?name=${hostname}`)).result as { id: string }[]

  test('requests to a host name attached to a worker reach the worker, and the name gets a DNS record', async () => {
    const host = 'www.acme-demo.localhost'
    const domain = (await attachDomain(host)).result as DomainShape
    assert.deepEqual([domain.hostname, domain.service], [host, 'shop'])
    assert.equal(servedBy(host), 'shop')
    const [record] = await listRecords(host)
    assert.equal((await cloud.call('DELETE', `/zones/${zone}/dns_records/${record?.id}`)).status, 400)
    assert.equal(((await attachDomain(host, 'blog')).result as DomainShape).id, domain.id)
    assert.equal(servedBy(host), 'blog')
    assert.deepEqual(
      (await listDomains('?service=blog')).map(({ hostname }) => hostname),
      [host],
    )
    assert.equal((await cloud.call('DELETE', `/A/workers/domains/${domain.id}`)).status, 200)
    assert.deepEqual([servedBy(host), await listRecords(host), await listDomains()], [null, [], []])
  })

  test("a host name's certificate becomes active after four seconds, or fails if the name contains fail-cert", async () => {
    const good = (await attachDomain('course.acme-demo.localhost')).result as DomainShape
    const bad = (await attachDomain('fail-cert.acme-demo.localhost')).result as DomainShape
    const listPacks = async (query: string) =>
      (await cloud.call('GET', `/zones/${zone}/ssl/certificate_packs${query}`)).result as {
        id: string
        status: string
      }[]
    const packStatus = async (id: string) =>
      (await listPacks('?status=all')).find((pack) => pack.id === id)?.status
    const course = []
    for (let second = 0; second < 5; second++) {
      course.push(`${await packStatus(good.cert_id)} ${await packStatus(bad.cert_id)}`)
      cloud.clock.advance(1_000)
    }
    assert.deepEqual(course, [
      'initializing initializing',
      'pending_validation pending_validation',
      'pending_issuance validation_timed_out',
      'pending_deployment validation_timed_out',
      'active validation_timed_out',
    ])
    assert.deepEqual(
      (await listPacks('')).map((pack) => pack.id),
      [good.cert_id],
    )
  })

  test('a host name is refused when the user has a DNS record for it, its zone is not active or the worker is missing', async () => {
    await cloud.call('POST', `/zones/${zone}/dns_records`, {
      type: 'A',
      name: 'own',
      content: '192.0.2.1',
    })
    const attachError = async (hostname: string, service?: string, zoneId = zone) => {
      const body = { hostname, service: service ?? 'shop', zone_id: zoneId }
      const answer = await cloud.call('PUT', '/A/workers/domains', body)
      return [answer.status, answer.errors[0]?.code]
    }
    assert.deepEqual(await attachError('own.acme-demo.localhost'), [409, 100117])
    assert.deepEqual(await attachError('shop.example.test'), [400, 100115])
    assert.deepEqual(await attachError('shop.acme.localhost'), [400, 100115])
    assert.deepEqual(await attachError('x.acme-demo.localhost', 'nobody'), [404, 10007])
    assert.deepEqual(await attachError('fail-dns.acme-demo.localhost'), [400, 1004])
    const waiting = (await cloud.call('GET', '/zones?status=pending')).result as { id: string }[]
    assert.deepEqual(await attachError('x.acme-new.localhost', 'shop', waiting[0]?.id), [400, 100116])
    assert.equal((await listRecords('own.acme-demo.localhost')).length, 1)
  })

  test('deleting a worker detaches its host names', async () => {
    await attachDomain('gone.acme-demo.localhost', 'short-lived')
    await cloud.call('DELETE', '/A/workers/scripts/short-lived?force=true')
    assert.deepEqual(await listDomains('?hostname=gone.acme-demo.localhost'), [])
    assert.deepEqual(await listRecords('gone.acme-demo.localhost'), [])
  })

  test("wrangler can preview domain changes, and replaces a host name's worker or DNS record only with override", async () => {
    const at = '/A/workers/scripts/blog/domains'
    await attachDomain('old.acme-demo.localhost', 'blog')
    await attachDomain('taken.acme-demo.localhost', 'shop')
    const origins = [{ hostname: 'own.acme-demo.localhost' }, { hostname: 'taken.acme-demo.localhost' }]
    const plan = (await cloud.call('POST', `${at}/changeset?replace_state=true`, origins)).result as Record<
      string,
      { hostname: string; modified?: boolean }[]
    >
    const changedNames = (key: string) => plan[key]?.map(({ hostname }) => hostname.split('.')[0])
    assert.deepEqual(
      [changedNames('added'), changedNames('conflicting'), changedNames('updated'), changedNames('removed')],
      [['own'], ['own'], ['taken'], ['old']],
    )
    assert.equal(plan['updated']?.[0]?.modified, true)
    const putRecords = (override: boolean) =>
      cloud.call('PUT', `${at}/records`, {
        override_existing_origin: override,
        override_existing_dns_record: override,
        origins,
      })
    assert.equal((await putRecords(false)).status, 409)
    assert.equal(servedBy('old.acme-demo.localhost'), 'blog', 'a refused change changes nothing')
    assert.equal((await putRecords(true)).status, 200)
    assert.deepEqual(
      (await listDomains('?service=blog')).map(({ hostname }) => hostname.split('.')[0]),
      ['own', 'taken'],
    )
    const page = await cloud.call('GET', '/A/workers/domains/records?page=0&per_page=1')
    assert.equal((page.result as DomainShape[]).length, 1)
  })
})
