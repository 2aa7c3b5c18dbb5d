import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface DnsRecord {
  id: string
  type: string
  name: string
  content: string
}

const ZONE = 'acme-demo.localhost'
const A = { type: 'A', name: 'www', content: '192.0.2.1' }

describe('DNS records of a zone over REST', () => {
  let cloud: TestCloud
  let zoneId: string
  beforeEach(async () => {
    cloud = testCloud()
    const zones = (await cloud.call('GET', `/zones?name=${ZONE}`)).result as { id: string }[]
    zoneId = zones[0]?.id ?? ''
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/zones/${zoneId}/dns_records${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  /** Creates a record. Returns its id, or status and code of the failure. */
  const post = async (record: object) => {
    const made = await call('POST', '', record)
    return Array.isArray(made) ? made : (made as DnsRecord).id
  }
  const list = async (query = '') =>
    ((await call('GET', query)) as DnsRecord[]).map(({ type, name, content }) => `${type} ${name} ${content}`)
  const [AT_WWW, REFUSED] = [`www.${ZONE}`, [400, 81053]]

  test("a DNS record is returned with the provider's defaults and the zone name appended to its name", async () => {
    const time = new Date(cloud.now()).toISOString()
    const made = (await call('POST', '', { ...A, name: 'WWW' })) as DnsRecord
    assert.deepEqual(made, {
      id: made.id,
      zone_id: zoneId,
      zone_name: ZONE,
      name: AT_WWW,
      type: 'A',
      content: '192.0.2.1',
      proxiable: true,
      ttl: 1,
      proxied: false,
      comment: null,
      tags: [],
      settings: {},
      meta: {},
      created_on: time,
      modified_on: time,
    })
    assert.deepEqual(await call('GET', `/${made.id}`), made)
  })

  test('the zone name is appended to a DNS record name that does not end with it, and @ is the zone itself', async () => {
    for (const name of ['@', ZONE, `a.${ZONE}`, 'b.c', `x${ZONE}`])
      await post({ type: 'TXT', name, content: name })
    assert.deepEqual((await list()).sort(), [
      `TXT a.${ZONE} a.${ZONE}`,
      `TXT ${ZONE} @`,
      `TXT ${ZONE} ${ZONE}`,
      `TXT b.c.${ZONE} b.c`,
      `TXT x${ZONE}.${ZONE} x${ZONE}`,
    ])
  })

  test('a DNS record with an invalid name is refused, and a name with non-ASCII letters is stored as its xn-- name', async () => {
    const nameOf = async (name: string) => {
      const made = await call('POST', '', { type: 'TXT', name, content: 'x' })
      return Array.isArray(made) ? made : (made as DnsRecord).name.replace(`.${ZONE}`, '')
    }
    const good = ['_dmarc', 'a-b', '-a-', '*', '*.a', 'x'.repeat(63), 'a.b.c.d']
    for (const name of good) assert.equal(await nameOf(name), name)
    assert.deepEqual([await nameOf('Bücher'), await nameOf(' spaced ')], ['xn--bcher-kva', 'spaced'])
    const bad = [
      'a b',
      'a..b',
      '.a',
      'a.',
      'a/b',
      'a@b',
      '<b>',
      'x'.repeat(64),
      `${'a.'.repeat(120)}a`,
      'ü b',
    ]
    for (const name of bad) assert.deepEqual(await nameOf(name), [400, 9000], name)
  })

  test('a TXT or MX record cannot be proxied, and the TTL of a proxied record is automatic', async () => {
    const ttlOf = async (record: object) => {
      const made = await call('POST', '', record)
      return Array.isArray(made) ? made : (made as { ttl: number }).ttl
    }
    assert.deepEqual(await ttlOf({ type: 'TXT', name: 't', content: 'x', proxied: true }), [400, 9004])
    assert.deepEqual(
      await ttlOf({ type: 'MX', name: 't', content: 'mx.test', priority: 1, proxied: true }),
      [400, 9004],
    )
    assert.equal(await ttlOf({ ...A, proxied: true, ttl: 300 }), 1)
    assert.equal(await ttlOf({ type: 'CNAME', name: 'c', content: 'a.test', proxied: true }), 1)
    const id = String(await post({ ...A, name: 'plain', ttl: 300 }))
    assert.equal(((await call('PATCH', `/${id}`, { proxied: true })) as { ttl: number }).ttl, 1)
    assert.deepEqual(await call('PATCH', `/${id}`, { type: 'TXT', content: 'x' }), [400, 9004])
  })

  test('the TTL of a DNS record is automatic or between a minute and a day, and any other is refused', async () => {
    for (const [at, ttl] of [1, 60, 86_400].entries())
      assert.equal(typeof (await post({ ...A, name: `a${at}`, ttl })), 'string', String(ttl))
    const id = String(await post(A))
    for (const ttl of [0, 2, 59, 86_401, -1]) {
      assert.deepEqual(await post({ ...A, name: 'new', ttl }), [400, 9021], String(ttl))
      assert.deepEqual(await call('PATCH', `/${id}`, { ttl }), [400, 9021], String(ttl))
    }
    assert.equal(((await call('GET', `/${id}`)) as { ttl: number }).ttl, 1)
    assert.deepEqual(await list(`?name=new.${ZONE}`), [])
  })

  test('DNS records are filtered by type, name (ignoring case) and content, also as name.exact and content.exact', async () => {
    for (const record of [A, { ...A, content: '192.0.2.2' }, { type: 'TXT', name: 'www', content: 'hi' }])
      await post(record)
    const [one, two, text] = [`A ${AT_WWW} 192.0.2.1`, `A ${AT_WWW} 192.0.2.2`, `TXT ${AT_WWW} hi`]
    assert.deepEqual((await list(`?name=${AT_WWW.toUpperCase()}`)).sort(), [one, two, text])
    assert.deepEqual(await list('?type=TXT'), [text])
    assert.deepEqual(await list(`?name.exact=${AT_WWW}&content.exact=192.0.2.2`), [two])
    assert.deepEqual(await list('?name=none'), [])
  })

  test('an A record needs an IPv4 address and an AAAA record an IPv6 address', async () => {
    const refused = [
      { ...A, content: '::1' },
      { ...A, content: '192.0.2.256' },
      { ...A, content: '' },
      { ...A, type: 'AAAA', content: '192.0.2.1' },
      { ...A, type: 'TXT', content: '' },
      { ...A, type: 'LOC' },
      { ...A, name: '' },
    ].map(post)
    assert.deepEqual(await Promise.all(refused), [
      ...Array.from({ length: 5 }, () => [400, 9005]),
      [400, 10001],
      [400, 10001],
    ])
    assert.equal(typeof (await post({ ...A, type: 'AAAA', content: '2001:db8::1' })), 'string')
  })

  test('a DNS name has either one CNAME or any number of addresses, and a changed record does not conflict with itself', async () => {
    const cname = { type: 'CNAME', name: 'www', content: 'a.test' }
    const id = await post(cname)
    assert.deepEqual(
      [await post(A), await post({ ...cname, content: 'b.test' }), await post(cname)],
      [REFUSED, REFUSED, [400, 81058]],
    )
    assert.equal(((await call('PUT', `/${String(id)}`, cname)) as DnsRecord).id, id)
    assert.equal(((await call('PUT', `/${String(id)}`, A)) as DnsRecord).type, 'A')
    assert.equal(typeof (await post({ ...A, content: '192.0.2.2' })), 'string')
    assert.deepEqual(await post(cname), REFUSED)
    assert.deepEqual(await call('PATCH', `/${String(id)}`, { content: '192.0.2.2' }), [400, 81058])
  })

  test('a PATCH of a DNS record keeps its id, its creation time and all fields that the request does not name', async () => {
    const record = { ...A, ttl: 300, proxied: true, comment: 'ours', tags: ['a'] }
    const made = (await call('POST', '', record)) as object & { id: string }
    cloud.clock.advance(1000)
    const changed = await call('PATCH', `/${made.id}`, { content: '192.0.2.9', id: 'another', comment: null })
    const modified = new Date(cloud.now()).toISOString()
    assert.deepEqual(changed, { ...made, content: '192.0.2.9', comment: null, modified_on: modified })
    assert.deepEqual(
      [await call('PATCH', `/${made.id}`, { content: 7 }), await call('PATCH', '/none', { content: 'x' })],
      [
        [400, 9005],
        [404, 81044],
      ],
    )
    assert.deepEqual(await call('GET', `/${made.id}`), changed)
  })

  test('the content of a DNS record with `data` is computed from `data`, and again after each change of `data`', async () => {
    const data = { priority: 1, weight: 2, port: 443, target: 'a.test' }
    const srv = { type: 'SRV', name: '_sip', data }
    const made = (await call('POST', '', srv)) as DnsRecord & { data: object }
    assert.deepEqual([made.content, made.data], ['1 2 443 a.test', data])
    const next = { ...data, target: 'b.test' }
    const changed = (await call('PATCH', `/${made.id}`, { data: next })) as DnsRecord & { data: object }
    assert.deepEqual([changed.content, changed.data], ['1 2 443 b.test', next])
    const commented = (await call('PATCH', `/${made.id}`, { comment: 'ours' })) as DnsRecord
    assert.equal(commented.content, '1 2 443 b.test')
  })

  test("a DNS batch deletes, patches, replaces and then adds records, so that a deleted record's name can be reused", async () => {
    const first = String(await post(A))
    const second = String(await post({ type: 'TXT', name: 'a', content: 'one' }))
    const third = String(await post({ type: 'TXT', name: 'b', content: 'two' }))
    const done = (await call('POST', '/batch', {
      posts: [{ type: 'CNAME', name: 'www', content: 'a.test' }],
      puts: [{ id: third, type: 'TXT', name: 'c', content: 'one' }],
      patches: [{ id: second, name: 'c', content: 'two' }],
      deletes: [{ id: first }],
    })) as Record<string, DnsRecord[]>
    assert.deepEqual(
      Object.entries(done).map(([kind, records]) => [kind, records.map(({ content }) => content)]),
      [
        ['deletes', ['192.0.2.1']],
        ['patches', ['two']],
        ['puts', ['one']],
        ['posts', ['a.test']],
      ],
    )
    assert.deepEqual((await list()).sort(), [
      `CNAME ${AT_WWW} a.test`,
      `TXT c.${ZONE} one`,
      `TXT c.${ZONE} two`,
    ])
  })

  test('a DNS batch with an unknown record or an invalid change is refused and changes nothing', async () => {
    const id = String(await post(A))
    const deletes = [{ id }]
    assert.deepEqual(
      [
        await call('POST', '/batch', { deletes: [...deletes, { id: 'none' }] }),
        await call('POST', '/batch', { deletes: [...deletes, ...deletes] }),
        await call('POST', '/batch', { deletes, patches: [{ id, content: '192.0.2.2' }] }),
        await call('POST', '/batch', { deletes, puts: [{ id: 'none', ...A }] }),
        await call('POST', '/batch', { deletes, posts: [{ ...A, content: 'x' }] }),
        await call('POST', '/batch', { deletes, patches: [{ content: 'x' }] }),
      ],
      [
        [404, 81044],
        [404, 81044],
        [404, 81044],
        [404, 81044],
        [400, 9005],
        [400, 10001],
      ],
    )
    assert.deepEqual(
      [await list(), await call('POST', '/batch', {})],
      [[`A ${AT_WWW} 192.0.2.1`], { deletes: [], patches: [], puts: [], posts: [] }],
    )
  })

  test("the records API can neither change nor delete a custom domain's DNS record, nor add an A record beside it", async () => {
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm('export default { fetch() {} }'))
    await cloud.call('PUT', '/A/workers/domains', { hostname: AT_WWW, service: 'shop', zone_id: zoneId })
    const [record] = (await call('GET', '')) as DnsRecord[]
    const path = `/${record?.id ?? ''}`
    assert.deepEqual(
      [
        await call('DELETE', path),
        await call('PUT', path, A),
        await call('PATCH', path, { comment: 'ours' }),
        await call('POST', '/batch', { deletes: [{ id: record?.id }] }),
        await post(A),
      ],
      [...Array.from({ length: 4 }, () => [400, 1043]), REFUSED],
    )
    assert.equal(typeof (await post({ type: 'TXT', name: 'www', content: 'x' })), 'string')
  })

  test("DNS records of another account's zone can be neither listed nor changed", async () => {
    const id = String(await post(A))
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: other.id, scopes: [], at: 1 })
    assert.deepEqual(
      [await call('GET', '', undefined, secret), await call('DELETE', `/${id}`, undefined, secret)],
      [
        [403, 9109],
        [403, 9109],
      ],
    )
    const zones = (await cloud.call('GET', '/zones', undefined, secret)).result as { id: string }[]
    const foreign = await cloud.call('DELETE', `/zones/${zones[0]?.id}/dns_records/${id}`, undefined, secret)
    assert.deepEqual([foreign.errors[0]?.code, await list()], [81044, [`A ${AT_WWW} 192.0.2.1`]])
  })
})
