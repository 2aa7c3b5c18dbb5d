import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'
import { type TestCloud, testCloud } from '../../../testing/cloud.ts'

interface ZoneShape {
  id: string
  name: string
  status: string
  name_servers: string[]
}

describe('zones', () => {
  let cloud: TestCloud
  before(() => {
    cloud = testCloud()
  })
  after(() => cloud.close())
  const listZones = async (query = '', token?: string) =>
    (await cloud.call('GET', `/zones${query}`, undefined, token)).result as ZoneShape[]
  const createZone = (name: string, token?: string) => cloud.call('POST', '/zones', { name }, token)

  test('a new account has one active zone and one pending zone, which lists two name servers', async () => {
    const zones = await listZones()
    assert.deepEqual(
      zones.map(({ name, status }) => [name, status]),
      [
        ['acme-demo.localhost', 'active'],
        ['acme-new.localhost', 'pending'],
      ],
    )
    assert.equal(new Set(zones[1]?.name_servers).size, 2)
    assert.deepEqual(await listZones('?name=acme-new.localhost&page=2'), [])
    assert.equal((await listZones(`?status=active&account.id=${cloud.accountId}`)).length, 1)
  })

  test('a new zone becomes active five seconds after its activation check', async () => {
    const made = (await createZone('example.test')).result as ZoneShape
    const zoneStatus = async () => ((await cloud.call('GET', `/zones/${made.id}`)).result as ZoneShape).status
    cloud.clock.advance(60_000)
    assert.equal(await zoneStatus(), 'pending')
    await cloud.call('PUT', `/zones/${made.id}/activation_check`)
    assert.equal(await zoneStatus(), 'pending')
    cloud.clock.advance(5_001)
    assert.equal(await zoneStatus(), 'active')
    assert.equal((await cloud.call('DELETE', `/zones/${made.id}`)).status, 200)
    assert.deepEqual(await listZones('?name=example.test'), [])
  })

  test('a zone whose name contains fail-zone stays pending after an activation check', async () => {
    const { id } = (await createZone('fail-zone.example.test')).result as ZoneShape
    await cloud.call('PUT', `/zones/${id}/activation_check`)
    cloud.clock.advance(60_000)
    assert.equal(((await cloud.call('GET', `/zones/${id}`)).result as ZoneShape).status, 'pending')
  })

  test('invalid zone names and a second zone of the same name are refused', async () => {
    for (const [name, code] of [
      ['no spaces.test', 1001],
      ['single', 1001],
      ['', 1001],
      ['a..test', 1001],
      ['a.test.', 1001],
      ['xn--.test', 1001],
      ['bücher..test', 1001],
      ['acme.localhost', 1099],
      ['shop.acme.localhost', 1099],
      ['acme-demo.localhost', 1061],
    ] as const) {
      const answer = await createZone(name)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [400, code], name)
    }
  })

  test('a zone name with non-ASCII letters is stored as its xn-- name, and the zone is found by both names', async () => {
    const made = (await createZone('Bücher.test')).result as ZoneShape
    assert.equal(made.name, 'xn--bcher-kva.test')
    assert.equal((await createZone('xn--bcher-kva.test')).errors[0]?.code, 1061)
    for (const name of ['bücher.test', 'XN--BCHER-KVA.test', 'starts_with:Bücher']) {
      const { result } = await cloud.call('GET', `/zones?name=${encodeURIComponent(name)}`)
      assert.deepEqual(
        (result as ZoneShape[]).map(({ id }) => id),
        [made.id],
      )
    }
  })

  test("a zone that is active in one account stays pending in another, and an account cannot read other accounts' zones", async () => {
    const other = createAccount(cloud.store, { name: 'Other', plan: 'free', at: cloud.now() })
    const { secret } = issueToken(cloud.store, {
      kind: 'api',
      accountId: other.id,
      scopes: [],
      at: cloud.now(),
    })
    const [ours, theirs] = [
      (await createZone('shared.test')).result as ZoneShape,
      (await createZone('shared.test', secret)).result as ZoneShape,
    ]
    await cloud.call('PUT', `/zones/${theirs.id}/activation_check`, undefined, secret)
    await cloud.call('PUT', `/zones/${ours.id}/activation_check`)
    cloud.clock.advance(10_000)
    assert.deepEqual(
      [
        (await listZones('?name=shared.test'))[0]?.status,
        (await listZones('?name=shared.test', secret))[0]?.status,
      ],
      ['pending', 'active'],
    )
    const foreign = await cloud.call('GET', `/zones/${theirs.id}`)
    const unknown = await cloud.call('GET', '/zones/0123')
    assert.deepEqual([foreign.status, foreign.errors], [403, unknown.errors])
  })

  test('a token for several accounts reads and creates zones in each of these accounts, and in no other account', async () => {
    const second = createAccount(cloud.store, { name: 'Second', plan: 'paid', at: cloud.now() })
    const { secret } = issueToken(cloud.store, {
      kind: 'access',
      accountId: cloud.accountId,
      otherAccounts: [second.id],
      scopes: [],
      at: cloud.now(),
    })
    const made = await cloud.call('POST', '/zones', { name: 'two.test', account: { id: second.id } }, secret)
    const { id } = made.result as ZoneShape
    assert.deepEqual(
      (await listZones(`?account.id=${second.id}`, secret)).map(({ name }) => name),
      ['second-demo.localhost', 'second-new.localhost', 'two.test'],
    )
    const all = (await listZones('', secret)).map(({ name }) => name)
    assert.deepEqual(
      ['acme-demo.localhost', 'two.test'].filter((name) => all.includes(name)),
      ['acme-demo.localhost', 'two.test'],
    )
    assert.equal((await cloud.call('GET', `/zones/${id}/email/routing`, undefined, secret)).status, 200)
    assert.equal((await cloud.call('GET', `/zones/${id}`)).status, 403)
    const foreign = createAccount(cloud.store, { name: 'Foreign', plan: 'paid', at: cloud.now() })
    const refused = await cloud.call(
      'POST',
      '/zones',
      { name: 'x.test', account: { id: foreign.id } },
      secret,
    )
    assert.equal(refused.status, 403)
  })

  test('a token with only the read permission for zones can list zones, but neither create zones nor read DNS records', async () => {
    const { secret } = issueToken(cloud.store, {
      kind: 'api',
      accountId: cloud.accountId,
      scopes: ['zone.read', 'workers-scripts.write'],
      at: cloud.now(),
    })
    assert.equal((await cloud.call('GET', '/zones', undefined, secret)).status, 200)
    assert.equal((await createZone('narrow.test', secret)).status, 403)
    const { id } = (await listZones())[0] as ZoneShape
    assert.equal((await cloud.call('GET', `/zones/${id}/dns_records`, undefined, secret)).status, 403)
  })
})

describe('DNS records', () => {
  interface RecordShape {
    id: string
    name: string
    type: string
    content: string
    priority?: number
    proxied: boolean
  }
  let cloud: TestCloud
  let at: string
  before(async () => {
    cloud = testCloud()
    const zones = (await cloud.call('GET', '/zones')).result as ZoneShape[]
    at = `/zones/${zones[0]?.id}/dns_records`
  })
  after(() => cloud.close())
  const postRecord = (record: object) => cloud.call('POST', at, record)
  const listRecords = async (query = '') => (await cloud.call('GET', `${at}${query}`)).result as RecordShape[]

  test('DNS records are created, listed, changed and deleted, and the zone name is appended to short names', async () => {
    const made = await postRecord({ type: 'MX', name: 'mail', content: 'mx.example.test', priority: 5 })
    const record = made.result as RecordShape
    assert.deepEqual([made.status, record.name, record.priority], [200, 'mail.acme-demo.localhost', 5])
    await cloud.call('PATCH', `${at}/${record.id}`, { content: 'mx2.example.test' })
    assert.equal((await listRecords('?name=mail.acme-demo.localhost'))[0]?.content, 'mx2.example.test')
    const put = { type: 'TXT', name: 'mail', content: 'hello' }
    assert.equal(((await cloud.call('PUT', `${at}/${record.id}`, put)).result as RecordShape).type, 'TXT')
    assert.equal((await cloud.call('DELETE', `${at}/${record.id}`)).status, 200)
    assert.equal((await cloud.call('GET', `${at}/${record.id}`)).status, 404)
    assert.deepEqual(await listRecords('?type=TXT'), [])
  })

  test('DNS records that are invalid or conflict with an existing record are refused', async () => {
    await postRecord({ type: 'A', name: 'www', content: '192.0.2.1' })
    const refusals = [
      [{ type: 'A', name: 'www', content: '192.0.2.1' }, 81058],
      [{ type: 'CNAME', name: 'www', content: 'example.test' }, 81053],
      [{ type: 'A', name: 'www', content: 'not an address' }, 9005],
      [{ type: 'TXT', name: 'fail-dns', content: 'x' }, 1004],
    ] as const
    for (const [record, code] of refusals) {
      const answer = await postRecord(record)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [400, code])
    }
    assert.equal((await postRecord({ type: 'A', name: 'www', content: '192.0.2.2' })).status, 200)
  })

  test('a batch of DNS changes is applied atomically', async () => {
    const [first] = await listRecords('?name=www.acme-demo.localhost')
    const clash = { type: 'CNAME', name: 'www', content: 'example.test' }
    const bad = { deletes: [{ id: first?.id }], posts: [{ type: 'TXT', name: 'a', content: 'b' }, clash] }
    assert.equal((await cloud.call('POST', `${at}/batch`, bad)).status, 400)
    assert.deepEqual([(await listRecords()).length, (await listRecords('?type=TXT')).length], [2, 0])
    const good = { posts: [{ type: 'TXT', name: 'a', content: 'b' }], deletes: [{ id: first?.id }] }
    const done = (await cloud.call('POST', `${at}/batch`, good)).result as Record<string, RecordShape[]>
    assert.deepEqual([done['deletes']?.length, done['posts']?.[0]?.name], [1, 'a.acme-demo.localhost'])
  })
})
