import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Cloudflare } from 'cloudflare'
import { control, startTestWorld, type TestWorld } from './world.ts'
import { projectWith, wrangler, writeFiles } from './wrangler.ts'

const sourceOf = (label: string) => `export default { fetch: () => new Response('${label}') }`
const configWith = (hosts: string[]) =>
  JSON.stringify({
    name: 'shop',
    main: 'index.js',
    compatibility_date: '2026-06-01',
    routes: hosts.map((pattern) => ({ pattern, custom_domain: true })),
  })

describe('custom domains, used by wrangler and the SDK', () => {
  let world: TestWorld
  let client: Cloudflare
  let project: string
  let zone: string
  const hostOf = (name: string) => `${name}.${zone}`
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_TIME_SCALE: '0.01' })
    zone = `${world.account.subdomain}-demo.localhost`
    client = new Cloudflare({
      apiToken: world.account.token,
      baseURL: `${world.restUrl}/cloudflare/client/v4`,
      maxRetries: 0,
    })
    project = projectWith(world, {
      'wrangler.jsonc': configWith([hostOf('www')]),
      'index.js': sourceOf('shop'),
    })
  })
  after(() => world.remove())

  async function deployProject(): Promise<string> {
    const { code, output } = await wrangler(world, project, 'deploy')
    assert.equal(code, 0, output)
    return output
  }

  test('wrangler attaches the custom domains in its configuration and detaches domains that the next configuration lacks', async () => {
    assert.match(await deployProject(), new RegExp(`www\\.${zone}`))
    assert.deepEqual(await requestHost(world, hostOf('www')), { status: 200, text: 'shop' })
    assert.equal((await requestHost(world, hostOf('other'))).status, 404)
    writeFiles(project, { 'wrangler.jsonc': configWith([hostOf('shop'), hostOf('api')]) })
    await deployProject()
    const answers = await Promise.all(['shop', 'api', 'www'].map((name) => requestHost(world, hostOf(name))))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404],
    )
  })

  test('the Cloudflare SDK reads all pages of zones, DNS records, certificates and domains', async () => {
    const { id: account_id } = world.account
    const zones = []
    for await (const one of client.zones.list({ name: zone, account: { id: account_id } })) zones.push(one)
    assert.deepEqual(
      zones.map(({ name, status }) => [name, status]),
      [[zone, 'active']],
    )
    const zone_id = zones[0]?.id ?? ''
    const attached = await client.workers.domains.update({
      account_id,
      hostname: hostOf('sdk'),
      service: 'shop',
      environment: 'production',
      zone_id,
    })
    assert.equal((await requestHost(world, hostOf('sdk'))).text, 'shop')
    const names: (string | undefined)[] = []
    for await (const one of client.workers.domains.list({ account_id, service: 'shop' }))
      names.push(one.hostname)
    assert.deepEqual(names, [hostOf('api'), hostOf('sdk'), hostOf('shop')])
    assert.equal((await client.workers.domains.get(attached.id, { account_id })).zone_name, zone)
    const packs = []
    for await (const pack of client.ssl.certificatePacks.list({ zone_id, status: 'all' })) packs.push(pack)
    assert.deepEqual(packs.find(({ id }) => id === attached.cert_id)?.hosts, [hostOf('sdk')])

    const txt = await client.dns.records.create({
      zone_id,
      type: 'TXT',
      name: hostOf('note'),
      content: 'hi',
      ttl: 1,
    })
    const records = []
    for await (const record of client.dns.records.list({ zone_id, per_page: 5 })) records.push(record)
    assert.deepEqual(records.map(({ type }) => type).toSorted(), ['AAAA', 'AAAA', 'AAAA', 'TXT'])
    await client.dns.records.batch({
      zone_id,
      deletes: [{ id: txt.id }],
      posts: [{ type: 'A', name: hostOf('own'), content: '192.0.2.1', ttl: 1 }],
    })
    await assert.rejects(
      client.workers.domains.update({ account_id, hostname: hostOf('own'), service: 'shop', zone_id }),
      /already has externally managed DNS records/,
    )
    await client.workers.domains.delete(attached.id, { account_id })
    assert.equal((await requestHost(world, hostOf('sdk'))).status, 404)
  })

  test('a zone becomes active after its activation check, and the custom domains of a deleted worker return 404', async () => {
    const { id: account_id } = world.account
    const { id: zone_id } = await client.zones.create({ name: 'example.test', account: { id: account_id } })
    await client.zones.activationCheck.trigger({ zone_id })
    await control(world, 'POST', '/clock', { advanceMs: 100 })
    assert.equal((await client.zones.get({ zone_id })).status, 'active')
    await client.workers.domains.update({ account_id, hostname: 'example.test', service: 'shop', zone_id })
    assert.equal((await requestHost(world, 'example.test')).status, 200)
    await client.workers.scripts.delete('shop', { account_id, force: true })
    assert.deepEqual(
      [(await requestHost(world, 'example.test')).status, (await requestHost(world, hostOf('api'))).status],
      [404, 404],
    )
    const { entries } = (await control(world, 'GET', '/journal?since=0')) as {
      entries: { path: string; unimplemented: boolean }[]
    }
    assert.deepEqual(
      entries.filter(({ unimplemented }) => unimplemented).map(({ path }) => path),
      [],
    )
  })
})

/** Sends a request for a host name to the loopback address, because no name server knows the host name. */
function requestHost(world: TestWorld, host: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: world.appsPort, host: '127.0.0.1', headers: { host } }, (res) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => (text += chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
    })
    asked.on('error', reject)
    asked.end()
  })
}
