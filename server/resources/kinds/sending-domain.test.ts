import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { closeProviders, errorResponse, okResponse, startProvider } from '../../cloudflare/testing.ts'
import type { ProjectContext, RegisteredResource } from './kind.ts'
import { addMissingRecords, readDnsRecords, sendingDomain } from './sending-domain.ts'

type Responder = Parameters<typeof startProvider>[0]
const ZONE = '/zones/z1'
const DKIM = { type: 'TXT', name: 'k1._domainkey.shop.test', content: 'v=DKIM1; p=abcdef' }
const MX = { type: 'MX', name: 'mail.shop.test', content: 'route1.mx.test', priority: 10 }
const DMARC = { type: 'TXT', name: '_dmarc.shop.test', content: 'v=DMARC1; p=reject' }
const COMMENT = 'slipway: needed to send mail'
const row = (provider_id: string | null = 'tag1'): RegisteredResource => ({
  id: 'res_1',
  kind: 'sending_domain',
  name: 'shop.test',
  account_id: 'acc',
  tier: 'shared',
  capability: 'email',
  provider_id,
  version_id: null,
  state: 'ok',
})
/** No function of this kind reads the project. */
const of = {} as ProjectContext

/** Starts an account with one zone, its sending domain and these DNS records. */
async function startZone({
  zones = [{ id: 'z1', name: 'shop.test', status: 'active' }],
  domains = [{ tag: 'tag1', name: 'shop.test', enabled: true }],
  wanted = [] as object[],
  records = [] as { name: string }[],
} = {}) {
  const answer: Responder = (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x')
    if (request.method !== 'GET') return okResponse({ type: '', name: '' })(request, response)
    if (pathname === '/zones') return okResponse(zones)(request, response)
    if (pathname.endsWith('/subdomains')) return okResponse(domains)(request, response)
    if (pathname.endsWith('/dns')) return okResponse(wanted)(request, response)
    const named = records.filter(({ name }) => name.toLowerCase() === searchParams.get('name')?.toLowerCase())
    return okResponse(named)(request, response)
  }
  const { cloud, calls } = await startProvider(answer)
  const writes = () => calls().filter((call) => !String(call).startsWith('GET '))
  return { cloud, writes }
}
const domain = { tag: 'tag1', name: 'shop.test', enabled: true }
const presentOf = async (wanted: object[], records: { name: string }[]) => {
  const { cloud } = await startZone({ wanted, records })
  return (await readDnsRecords(cloud, 'z1', domain)).map(({ present }) => present)
}

describe('the DNS records of a sending domain', () => {
  after(closeProviders)

  test('each DNS record that a sending domain needs is listed with its value, its priority, and whether the zone has it', async () => {
    const { cloud } = await startZone({ wanted: [MX, DKIM], records: [MX] })
    assert.deepEqual(await readDnsRecords(cloud, 'z1', domain), [
      { type: 'MX', name: MX.name, value: MX.content, priority: 10, present: true },
      { type: 'TXT', name: DKIM.name, value: DKIM.content, present: false },
    ])
  })

  test('a TXT record of a sending domain counts as present when Cloudflare returns its text in quoted parts', async () => {
    const parts = (content: string) => presentOf([DKIM], [{ ...DKIM, content } as { name: string }])
    assert.deepEqual(await parts('"v=DKIM1; p=abcdef"'), [true])
    assert.deepEqual(await parts('"v=DKIM1; p=abc" "def"'), [true])
    assert.deepEqual(await parts('"v=DKIM1; p=ABCDEF"'), [false])
    assert.deepEqual(await parts('"v=DKIM1; p=abc" "xyz"'), [false])
  })

  test('an MX record of a sending domain counts as present in upper or lower case and with or without a trailing dot', async () => {
    for (const [content, isPresent] of [
      ['Route1.MX.test.', true],
      ['route1.mx.test', true],
      ['route2.mx.test', false],
    ] as const)
      assert.deepEqual(
        await presentOf([MX], [{ ...MX, name: 'Mail.Shop.test', content } as { name: string }]),
        [isPresent],
      )
  })

  test('any DMARC policy at the name that a sending domain requires counts as present, but another TXT record there does not', async () => {
    const policy = (content: string) => presentOf([DMARC], [{ ...DMARC, content } as { name: string }])
    assert.deepEqual(await policy('"v=DMARC1; p=none"'), [true])
    assert.deepEqual(await policy('"verification=1"'), [false])
  })

  test('a DNS record of another type at a name that a sending domain requires does not count as present', async () => {
    const alias = { type: 'CNAME', name: DKIM.name, content: DKIM.content }
    assert.deepEqual(await presentOf([DKIM], [alias]), [false])
  })

  test('missing DNS records of a sending domain are added with a comment that marks them as ours, and existing ones stay', async () => {
    const { cloud, writes } = await startZone({ wanted: [MX, DKIM], records: [MX] })
    await addMissingRecords(cloud, 'z1', domain)
    const added = { ...DKIM, comment: COMMENT, ttl: 1 }
    assert.deepEqual(writes(), [[`POST ${ZONE}/dns_records`, added]])
    const empty = await startZone({ wanted: [MX] })
    await addMissingRecords(empty.cloud, 'z1', domain)
    assert.deepEqual(empty.writes(), [[`POST ${ZONE}/dns_records`, { ...MX, comment: COMMENT, ttl: 1 }]])
  })

  test('no DNS record of a sending domain is added at a name with a CNAME or a record of its type, because a person must decide', async () => {
    const others = [
      { type: 'MX', name: MX.name, content: 'mx.other.test' },
      { type: 'CNAME', name: MX.name, content: 'other.test' },
    ]
    for (const other of others) {
      const { cloud, writes } = await startZone({ wanted: [MX], records: [other] })
      await addMissingRecords(cloud, 'z1', domain)
      assert.deepEqual(writes(), [])
    }
  })

  test('a DNS record of a sending domain is added beside another required record of the same name and type', async () => {
    const second = { ...MX, content: 'route2.mx.test' }
    const { cloud, writes } = await startZone({ wanted: [MX, second], records: [MX] })
    await addMissingRecords(cloud, 'z1', domain)
    assert.deepEqual(writes(), [[`POST ${ZONE}/dns_records`, { ...second, comment: COMMENT, ttl: 1 }]])
  })
})

describe('the resource of a sending domain', () => {
  after(closeProviders)
  const find = async (given: Parameters<typeof startZone>[0], provider?: string | null) =>
    sendingDomain.find((await startZone(given)).cloud, row(provider), of)

  test('a sending domain is missing without its zone or its entry in the zone, and drifted when it was set up again by hand', async () => {
    assert.equal(await find({}), 'ok')
    assert.equal(await find({}, null), 'ok')
    assert.equal(await find({}, 'older'), 'drifted')
    assert.equal(await find({ zones: [] }), 'missing')
    assert.equal(await find({ domains: [] }), 'missing')
  })

  test('a sending domain is removed with the DNS records that the service added, and other DNS records stay', async () => {
    const ours = { ...MX, id: 'r1', comment: COMMENT }
    const theirs = { ...DKIM, id: 'r2', comment: 'mine' }
    const { cloud, writes } = await startZone({ wanted: [MX, DKIM], records: [ours, theirs] })
    await sendingDomain.remove(cloud, row(), of)
    assert.deepEqual(writes(), [
      `DELETE ${ZONE}/dns_records/r1`,
      `DELETE ${ZONE}/email/sending/subdomains/tag1`,
    ])
  })

  test('a sending domain that no longer exists, or was set up again by hand, is not removed', async () => {
    for (const given of [{ zones: [] }, { domains: [] }, { domains: [{ ...domain, tag: 'newer' }] }]) {
      const { cloud, writes } = await startZone(given)
      await sendingDomain.remove(cloud, row(), of)
      assert.deepEqual(writes(), [])
    }
  })

  test('a sending domain whose DNS records cannot be read is not removed, because without the domain nothing could find the records', async () => {
    const zone = okResponse([{ id: 'z1', name: 'shop.test', status: 'active' }])
    const { cloud, calls } = await startProvider(
      zone,
      okResponse([domain]),
      errorResponse(400, 2001, 'Not now'),
    )
    await assert.rejects(sendingDomain.remove(cloud, row(), of), { fault: 'upstream', status: 400 })
    assert.deepEqual(
      calls().filter((call) => !String(call).startsWith('GET ')),
      [],
    )
  })
})
