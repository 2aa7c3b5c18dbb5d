import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import * as z from 'zod'
import { createDnsRecord, listRecords, removeDnsRecord } from '../../cloudflare/products/dns.ts'
import { findSendingDomain, listRules, ruleOf } from '../../cloudflare/products/email.ts'
import { openCloudApp, until } from '../../releases/testing.ts'
import type { CloudApp } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import { Shop } from './testing.ts'

const letters = (localPart: string, notify = false) => ({ localPart, collection: 'letters', notify })

const SENDING_ACTIVITY = {
  'dns.record.create': 4,
  'email.domain.create': 1,
  'worker.upload': 'some',
} as const

describe('mail of a project', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())
  afterEach(() => control('DELETE', '/faults'))

  async function control(method: string, path: string, body?: object): Promise<void> {
    const answer = await fetch(`${cloud.world.restUrl}/_control${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, path)
  }
  const later = () => control('POST', '/clock', { advanceMs: 4_000 })
  const refuse = (path: string, status = 400) =>
    control('POST', '/faults', { match: { provider: 'cloudflare', path, times: 99 }, do: { status } })

  test('every email route is a 404 not_enabled while the email capability is off', async () => {
    const shop = await Shop.open(cloud)
    const answers = [
      await shop.status(),
      await shop.onboard('x'),
      await shop.verify(),
      await shop.mailboxes(),
    ]
    for (const { status, error } of answers)
      assert.deepEqual(
        [status, error?.code, error?.message],
        [404, 'not_enabled', 'Email is off in this project.'],
      )
  })

  test('an app in the local Cloudflare emulator sends mail from a local address while email is on', async () => {
    leaves({ activity: { 'worker.address': 1, 'worker.upload': 3 }, jobs: { provision: 2 } })
    const shop = await (await Shop.open(cloud)).turnOn()
    const from = `${shop.project.slug}@mail.slipway.test`
    assert.deepEqual(await shop.given(), { allowed: [from], from, mailboxes: [] })
    const { data } = await shop.status()
    assert.partialDeepStrictEqual(data, {
      sending: { zoneId: null, domain: null, state: 'none', from, dns: [] },
      mailboxes: [],
      routing: 'none',
      collections: [],
    })
    assert.deepEqual(
      data.zones.map(({ status }) => status),
      ['active', 'pending'],
    )
    await shop.person.call(`PUT ${shop.path}/capabilities/email`, { enabled: false })
    await until(async () => (await shop.given()).from === undefined)
    assert.deepEqual(await shop.given(), { allowed: undefined, from: undefined, mailboxes: null })
  })

  test('a mail domain gets its DNS records, and the app sends from it once Cloudflare has verified it', async () => {
    leaves({
      activity: {
        'dns.record.create': 4,
        'email.domain.create': 1,
        'worker.address': 1,
        'worker.upload': 5,
      },
      jobs: { provision: 6 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    const zone = await shop.zone()
    const early = await shop.verify()
    assert.deepEqual([early.status, early.error?.code], [409, 'conflict'])
    const unknown = await shop.onboard('0123456789abcdef0123456789abcdef')
    assert.match(unknown.error?.message ?? '', /^zoneId: /)
    const waiting = await shop.onboard((await shop.zone('pending')).id)
    assert.deepEqual([waiting.status, waiting.error?.code], [409, 'conflict'])
    for (const localPart of ['', 'a b', 'a..b', '.a', 'ann@x', 'x\r\nBcc: all', 'ä', 'a'.repeat(65)])
      assert.equal((await shop.onboard(zone.id, localPart)).status, 400, localPart)

    const begun = await shop.onboard(zone.id, 'Hello')
    assert.equal(begun.error, undefined)
    const { sending } = begun.data
    assert.deepEqual([sending.zoneId, sending.domain, sending.state], [zone.id, zone.name, 'pending'])
    assert.equal(sending.dns.length, 4)
    assert.ok(sending.dns.every(({ present }) => present))
    assert.deepEqual(await shop.managed('sending_domain'), [zone.name])
    const unseen = await shop.verify()
    assert.deepEqual([unseen.data.verified, unseen.data.from], [false, undefined])
    assert.equal((await shop.given()).from, `${shop.project.slug}@mail.slipway.test`)
    await later()
    const from = `hello@${zone.name}`
    const seen = await shop.verify()
    assert.deepEqual([seen.data.verified, seen.data.from], [true, from])
    assert.deepEqual(await shop.given(), { allowed: [from], from, mailboxes: [] })
    assert.deepEqual((await shop.status()).data.sending.state, 'verified')
    // Choosing the same sender again keeps it verified. Another sender must be verified again.
    assert.equal((await shop.onboard(zone.id)).data.sending.from, from)
    assert.equal((await shop.onboard(zone.id, 'office')).data.sending.state, 'pending')
    assert.equal((await shop.verify()).data.from, `office@${zone.name}`)
  })

  test("setting up a mail domain changes no existing DNS record, and deleting the project removes only the project's records", async () => {
    leaves({
      events: { 'project.deleted': 1 },
      activity: {
        ...SENDING_ACTIVITY,
        'dns.record.remove': 2,
        'email.domain.remove': 1,
        'project.deleted': 1,
        'worker.address': 1,
        'worker.delete': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    const { id, name } = await shop.zone()
    const own = { type: 'TXT', comment: 'mine', name: `cf-bounce.${name}`, content: 'v=spf1 -all' }
    const policy = { type: 'TXT', comment: 'mine', name: `_dmarc.${name}`, content: '"v=DMARC1; p=none"' }
    await createDnsRecord(shop.account, id, own)
    await createDnsRecord(shop.account, id, policy)
    const { data } = await shop.onboard(id)
    const missing = data.sending.dns.filter(({ present }) => !present)
    assert.deepEqual(
      missing.map((one) => [one.type, one.name]),
      [['TXT', own.name]],
    )
    await later()
    assert.equal((await shop.verify()).data.verified, false)
    const texts = async (at: string) =>
      (await listRecords(shop.account, id, at)).filter(({ type }) => type === 'TXT').map((one) => one.content)
    assert.deepEqual(await texts(own.name), [own.content])
    assert.deepEqual(await texts(policy.name), [policy.content])
    const removed = await shop.person.call<{ teardown: { remaining: number } }>(`DELETE ${shop.path}`)
    assert.equal(removed.data.teardown.remaining, 0)
    assert.equal(await findSendingDomain(shop.account, id, name), null)
    const left = await Promise.all(
      [`cf-bounce.${name}`, `_dmarc.${name}`, `cf-bounce._domainkey.${name}`].map((at) =>
        listRecords(shop.account, id, at),
      ),
    )
    assert.deepEqual(
      left.flat().map(({ comment }) => comment),
      ['mine', 'mine'],
    )
  })

  test('each mailbox has a separate routing rule to the Durable Objects worker, and no other rule is changed or removed', async () => {
    leaves({
      events: { 'project.created': 1 },
      activity: {
        ...SENDING_ACTIVITY,
        'dns.record.remove': 2,
        'email.routing.enable': 1,
        'email.rule.create': 2,
        'email.rule.remove': 2,
        'worker.address': 2,
      },
      jobs: { provision: 9 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    const zone = await shop.zone()
    const without = await shop.mailboxes(letters('hello'))
    assert.deepEqual([without.status, without.error?.code], [409, 'conflict'])
    assert.deepEqual((await shop.mailboxes()).data, { mailboxes: [], routing: 'none' })
    await shop.onboard(zone.id)
    const undeclared = await shop.mailboxes(letters('hello'))
    assert.match(undeclared.error?.message ?? '', /^mailboxes\.0\.collection: letters is not declared/)
    await shop.declareMailboxes()
    assert.deepEqual((await shop.status()).data.collections, ['letters'])
    for (const wrong of [
      [letters('hello'), letters('HELLO')],
      [{ ...letters('hello'), collection: 'others' }],
      [letters('a b')],
      [{ localPart: 'hello' }],
    ])
      assert.equal((await shop.mailboxes(...wrong)).status, 400, JSON.stringify(wrong))

    const rule = (value: string, name: string) => ({
      name,
      enabled: true,
      matchers: [{ type: 'literal', field: 'to', value }],
      actions: [{ type: 'drop' }],
    })
    const Any = z.unknown()
    const write = (method: 'POST' | 'PUT', path: string, json: object) =>
      shop.account.call({
        method,
        path: `/zones/${zone.id}/email/routing/rules${path}`,
        json,
        doing: 'prepare',
        result: Any,
        write: null,
      })
    await write('POST', '', rule(`boss@${zone.name}`, 'mine'))
    await write('PUT', '/catch_all', {
      enabled: true,
      matchers: [{ type: 'all' }],
      actions: [{ type: 'drop' }],
    })
    const taken = await shop.mailboxes(letters('hello'), letters('boss'))
    assert.deepEqual([taken.status, taken.error?.code], [409, 'conflict'])
    assert.deepEqual((await shop.status()).data.mailboxes, [], 'nothing was saved')

    setTimeout(() => void later(), 300)
    const made = await shop.mailboxes(letters('Hello', true), letters('sales'))
    const address = `hello@${zone.name}`
    assert.equal(made.error, undefined)
    const second = await shop.zone('pending')
    await control('POST', `/zones/${second.name}/advance`)
    const elsewhere = await shop.onboard(second.id)
    await control('POST', `/zones/${second.name}/advance`, { to: 'pending' })
    assert.deepEqual([elsewhere.status, elsewhere.error?.code], [409, 'conflict'])
    assert.match(elsewhere.error?.message ?? '', /^Mailboxes at .* are in use/)
    assert.equal((await shop.status()).data.sending.zoneId, zone.id, 'the domain stays')
    assert.equal(made.data.routing, 'ready')
    assert.deepEqual(made.data.mailboxes[0], { ...letters('hello', true), address })
    const { slug } = shop.project
    const ours = [`slipway:${slug}:hello`, `slipway:${slug}:sales`]
    assert.deepEqual(await shop.rules(zone.id), ['', 'mine', ...ours])
    const [hello] = [ruleOf(await listRules(shop.account, zone.id), address)]
    assert.deepEqual(hello?.actions, [{ type: 'worker', value: [`${slug}-live`] }])
    assert.deepEqual((await shop.given()).mailboxes, made.data.mailboxes)
    assert.deepEqual((await shop.managed('routing_rule')).toSorted(), [address, `sales@${zone.name}`])

    const other = await (await Shop.open(cloud, shop.person)).turnOn()
    await other.onboard(zone.id)
    await other.declareMailboxes()
    assert.equal((await other.mailboxes(letters('hello'))).error?.code, 'conflict')
    const moved = await shop.onboard((await shop.zone()).id, 'office')
    assert.equal(moved.error, undefined, 'another sender at the same domain')

    for (const mx of (await listRecords(shop.account, zone.id, zone.name)).filter(
      ({ type }) => type === 'MX',
    ))
      await removeDnsRecord(shop.account, zone.id, mx)
    assert.equal((await shop.status()).data.routing, 'misconfigured')
    assert.deepEqual((await shop.mailboxes(letters('sales'))).data.routing, 'misconfigured')
    assert.deepEqual(await shop.rules(zone.id), ['', 'mine', ours[1]])
    assert.deepEqual((await shop.mailboxes()).data, { mailboxes: [], routing: 'none' })
    assert.deepEqual(await shop.rules(zone.id), ['', 'mine'])
    assert.deepEqual(await shop.managed('routing_rule'), [])
  })

  test('a sending domain that two projects share is removed only when both projects are deleted', async () => {
    leaves({
      events: { 'project.created': 1, 'project.deleted': 2 },
      activity: {
        ...SENDING_ACTIVITY,
        'dns.record.remove': 4,
        'email.domain.remove': 1,
        'project.deleted': 2,
        'worker.address': 2,
        'worker.delete': 4,
      },
      jobs: { provision: 5 },
    })
    const first = await (await Shop.open(cloud)).turnOn()
    const second = await (await Shop.open(cloud, first.person)).turnOn()
    const { id, name } = await first.zone()
    await first.onboard(id, 'first')
    await second.onboard(id, 'second')
    await later()
    assert.equal((await second.verify()).data.from, `second@${name}`)
    assert.deepEqual(
      [await first.managed('sending_domain'), await second.managed('sending_domain')],
      [[name], []],
    )
    await first.person.call(`DELETE ${first.path}`)
    assert.deepEqual(await second.managed('sending_domain'), [name])
    assert.equal((await findSendingDomain(second.account, id, name))?.enabled, true)
    const { data } = await second.person.call<{ teardown: { remaining: number } }>(`DELETE ${second.path}`)
    assert.equal(data.teardown.remaining, 0)
    assert.equal(await findSendingDomain(second.account, id, name), null)
  })

  test('reconciling a project restores mail rules and sending domains that a person removed or changed', async () => {
    leaves({
      activity: {
        'dns.record.create': 4,
        'email.domain.create': 2,
        'email.routing.enable': 1,
        'email.rule.create': 2,
        'project.reconciled': 1,
        'worker.address': 1,
        'worker.upload': 3,
      },
      jobs: { deploy: 1, provision: 3 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    const { id, name } = await shop.zone()
    await shop.declareMailboxes()
    await shop.onboard(id)
    await shop.mailboxes(letters('hello'))
    const address = `hello@${name}`
    const rule = ruleOf(await listRules(shop.account, id), address)
    const domain = await findSendingDomain(shop.account, id, name)
    for (const path of [`routing/rules/${rule?.id}`, `sending/subdomains/${domain?.tag}`])
      await shop.account.call({
        method: 'DELETE',
        path: `/zones/${id}/email/${path}`,
        doing: 'break it',
        result: z.unknown(),
        write: null,
      })
    const { data } = await shop.person.call<{
      repaired: { kind: string; action: string }[]
      failed: object[]
    }>(`POST ${shop.path}/reconcile`)
    assert.deepEqual(data.failed, [])
    assert.deepEqual(data.repaired.map(({ kind, action }) => `${kind} ${action}`).toSorted(), [
      'routing_rule made',
      'sending_domain made',
    ])
    assert.notEqual(ruleOf(await listRules(shop.account, id), address), null)
    assert.notEqual(await findSendingDomain(shop.account, id, name), null)
  })

  test('a mail set-up that Cloudflare refuses is reported and completed by the next attempt', async () => {
    leaves({
      activity: {
        'dns.record.create': 4,
        'email.domain.create': 1,
        'email.routing.enable': 1,
        'email.rule.create': 1,
        'email.rule.create failed': 1,
        'email.rule.remove': 1,
        'worker.address': 1,
        'worker.upload': 4,
      },
      jobs: { provision: 5 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    const { id, name } = await shop.zone()
    await shop.declareMailboxes()
    await refuse('/email/sending')
    assert.deepEqual((await shop.onboard(id)).error?.code, 'upstream_error')
    assert.deepEqual((await shop.status()).error?.code, 'upstream_error')
    assert.deepEqual((await shop.verify()).error?.code, 'upstream_error')
    await control('DELETE', '/faults')
    assert.equal((await shop.onboard(id)).data.sending.dns.length, 4)
    await refuse('/email/routing')
    assert.deepEqual((await shop.mailboxes(letters('hello'))).error?.code, 'upstream_error')
    await control('DELETE', '/faults')
    assert.deepEqual((await shop.mailboxes(letters('hello'))).error, undefined)
    assert.deepEqual(await shop.rules(id), [`slipway:${shop.project.slug}:hello`])
    // The account carries out the request and its response is lost. The retry must not create a second rule.
    const lost = { provider: 'cloudflare', method: 'POST', path: '/email/routing/rules' }
    await control('POST', '/faults', { match: lost, do: { commitThenDrop: true } })
    assert.deepEqual((await shop.mailboxes(letters('sales'))).error, undefined)
    assert.deepEqual(await shop.rules(id), [`slipway:${shop.project.slug}:sales`])
    assert.deepEqual(await shop.managed('routing_rule'), [`sales@${name}`])
  })

  test('without a connected Cloudflare account every email route is a 409 conflict', async () => {
    leaves({
      activity: { 'connection.disconnected': 1, 'worker.address': 1, 'worker.upload': 2 },
      jobs: { provision: 1 },
    })
    const shop = await (await Shop.open(cloud)).turnOn()
    await shop.person.call('DELETE /connections/cloudflare')
    for (const { status, error } of [
      await shop.status(),
      await shop.onboard('x'),
      await shop.verify(),
      await shop.mailboxes(),
    ])
      assert.deepEqual([status, error?.code], [409, 'conflict'])
  })
})
