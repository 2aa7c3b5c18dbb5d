import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { insertZone, setZoneState } from '../../store/zones.ts'
import { findScriptByCustomHost } from './store.ts'

const ZONE = 'acme-demo.localhost'
const HOST = `www.${ZONE}`

describe('host names that are attached to a worker', () => {
  let cloud: TestCloud
  beforeEach(async () => {
    cloud = testCloud()
    for (const name of ['shop', 'blog'])
      await cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm('export default { fetch() {} }'))
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object) => {
    const answer = await cloud.call(method, `/A/workers${path}`, body)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const attach = (hostname: string, more: object = {}) =>
    call('PUT', '/domains', { hostname, service: 'shop', ...more })
  const replace = (script: string, ...origins: object[]) =>
    call('PUT', `/scripts/${script}/domains/records`, { origins, override_existing_origin: true })
  const attached = () =>
    cloud.store
      .all<{ hostname: string }>('SELECT hostname FROM custom_domains ORDER BY hostname')
      .map(({ hostname }) => hostname)
  const servedBy = (hostname: string) =>
    findScriptByCustomHost(cloud.store, hostname, cloud.now())?.name ?? null
  /** Adds a host name to the router's cache, as a request to the host name does. */
  const cacheHost = (hostname: string) => cloud.apps.hosts.set(hostname, null)
  const addZone = (name: string, accountId = cloud.accountId) =>
    insertZone(cloud.store, { accountId, name, state: 'active', at: 1 })

  test("each change of a worker's host names, even a mere removal, clears the router's host name cache", async () => {
    const changes = [
      () => attach(HOST),
      () => replace('shop', { hostname: `a.${ZONE}` }),
      () => replace('shop'),
    ]
    for (const change of changes) {
      cacheHost(HOST)
      await change()
      assert.equal(cloud.apps.hosts.size, 0)
    }
    assert.deepEqual(attached(), [])
  })

  test('a host name is attached in the requested zone, or else in the zone with the longest matching name', async () => {
    const inner = addZone(`inner.${ZONE}`)
    const zoneOf = async (hostname: string, more: object = {}) => {
      const made = await attach(hostname, more)
      return Array.isArray(made) ? made : (made as { zone_name: string }).zone_name
    }
    assert.deepEqual(
      [
        await zoneOf(`A.INNER.${ZONE}`),
        await zoneOf(inner.name),
        await zoneOf(`a.${ZONE}`),
        await zoneOf(`b.inner.${ZONE}`, { zone_name: ZONE }),
        await zoneOf(ZONE),
      ],
      [inner.name, inner.name, ZONE, ZONE, ZONE],
    )
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 }).id
    const foreign = addZone('foreign.test', other)
    assert.deepEqual(
      [
        await attach(`x${ZONE}`),
        await attach('a.test', { zone_name: ZONE }),
        await attach(HOST, { zone_name: 'none.test' }),
        await attach('a.foreign.test'),
        await attach('a.foreign.test', { zone_id: foreign.id }),
      ],
      Array.from({ length: 5 }, () => [400, 100115]),
    )
  })

  test('an invalid custom domain is refused, and one with non-ASCII letters is stored as its xn-- name', async () => {
    for (const name of [
      `*.${ZONE}`,
      `a b.${ZONE}`,
      `a..${ZONE}`,
      `.${ZONE}`,
      `a/b.${ZONE}`,
      `${'a'.repeat(64)}.${ZONE}`,
    ])
      assert.deepEqual(await attach(name), [400, 100115], name)
    assert.deepEqual(attached(), [])
    const made = (await attach(`Bücher.${ZONE}`)) as { hostname: string }
    assert.equal(made.hostname, `xn--bcher-kva.${ZONE}`)
    assert.equal(servedBy(made.hostname), 'shop')
    const found = (await call('GET', `/domains?hostname=${encodeURIComponent(`bücher.${ZONE}`)}`)) as object[]
    assert.deepEqual(found, [made])
  })

  test('attaching a host name in a zone that is no longer active is refused', async () => {
    const zone = addZone('moved.test')
    setZoneState(cloud.store, zone, 'moved')
    assert.deepEqual([await attach('a.moved.test'), attached()], [[400, 100116], []])
  })

  test("a host name at or below an account's subdomain cannot be attached, but other names below localhost can", async () => {
    createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    cloud.store.run("UPDATE accounts SET subdomain = NULL WHERE name = 'Other'")
    for (const name of ['acme.localhost', 'x-acme.localhost', 'null.localhost']) addZone(name)
    const isAttached = async (hostname: string) => !Array.isArray(await attach(hostname))
    assert.deepEqual(
      [
        await isAttached('acme.localhost'),
        await isAttached('a.b.acme.localhost'),
        await isAttached('a.x-acme.localhost'),
        await isAttached('a.null.localhost'),
      ],
      [false, false, true, true],
    )
  })

  test('a host name that is attached to another worker keeps its id, certificate and settings', async () => {
    const made = (await attach(HOST)) as object
    await replace('shop', { hostname: HOST, enabled: false, previews_enabled: true })
    const moved = (await attach(HOST, { service: 'blog' })) as object
    assert.deepEqual(moved, { ...made, service: 'blog', enabled: false, previews_enabled: true })
    assert.equal(servedBy(HOST), null)
    await replace('blog', { hostname: HOST, enabled: true })
    assert.equal(servedBy(HOST), 'blog')
  })

  test("replacing a worker's host names changes nothing when one of the new names is refused", async () => {
    await attach(HOST)
    const refused = await replace('shop', { hostname: `a.${ZONE}` }, { hostname: 'a.none.test' })
    assert.deepEqual([refused, attached()], [[400, 100115], [HOST]])
  })

  test("the changeset route lists what replacing a worker's host names would change, and changes nothing", async () => {
    await attach(HOST)
    await attach(`old.${ZONE}`)
    const origins = [{ hostname: HOST, enabled: true }, { hostname: `new.${ZONE}` }]
    const plan = (query: string) => call('POST', `/scripts/shop/domains/changeset${query}`, origins)
    const { added, removed, updated, conflicting } = (await plan('?replace_state=true')) as Record<
      string,
      { hostname: string; modified?: boolean }[]
    >
    const names = (items: { hostname: string }[] = []) => items.map(({ hostname }) => hostname)
    assert.deepEqual(
      [names(added), names(removed), names(updated)],
      [[`new.${ZONE}`], [`old.${ZONE}`], [HOST]],
    )
    assert.deepEqual([updated?.[0]?.modified, conflicting], [false, []])
    const kept = (await plan('')) as { removed: object[] }
    assert.deepEqual([kept.removed, attached()], [[], [`old.${ZONE}`, HOST]])
  })
})
