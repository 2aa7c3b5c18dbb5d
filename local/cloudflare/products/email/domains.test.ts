import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../../../schema.ts'
import type { Store } from '../../../world/store.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { insertRecord, listRecords, updateRecord } from '../zones/dns-records.ts'
import { insertZone, setZoneState, type Zone, type ZoneStatus } from '../../store/zones.ts'
import { deleteSendingDomain, insertSendingDomain, maySendFrom, sendingRecords } from './domains.ts'

const AT = 1_000_000
const ENABLED_MS = 3000

describe('the domains that an account may send mail from', () => {
  let store: Store
  let accountId: string
  beforeEach(() => {
    store = openStore(':memory:')
    accountId = createAccount(store, { name: 'Acme', plan: 'paid', at: AT }).id
  })
  afterEach(() => store.close())

  const addZone = (state: ZoneStatus, name = 'shop.test', owner = accountId) =>
    insertZone(store, { accountId: owner, name, state, at: AT })
  const addDomain = (zone: Zone, name = zone.name) => {
    const domain = insertSendingDomain(store, zone, name, AT)
    for (const { type, name: host, content, ttl } of sendingRecords(domain)) {
      const details = { ttl, proxied: false, comment: null, tags: [] }
      const record = { zoneId: zone.id, domainId: null, type, name: host, content, details }
      insertRecord(store, { ...record, at: AT })
    }
    return domain
  }
  const maySend = (address: string, { owner = accountId, now = AT + ENABLED_MS, timeScale = 1 } = {}) =>
    maySendFrom(store, owner, address, { now, timeScale })

  test("every account may send from the local cloud's mail domain, but not from its subdomains or parent", () => {
    assert.deepEqual(
      [
        'a@mail.slipway.test',
        'a@MAIL.slipway.test',
        'a@x.mail.slipway.test',
        'a@slipway.test',
        'a@mail.slipway.test.evil.test',
        'a@mail.slipway.test@evil.test',
      ].map((address) => maySend(address)),
      [true, true, false, false, false, false],
    )
  })

  test('a sending domain is enabled three seconds after the last change of its DNS records', () => {
    const zone = addZone('active')
    addDomain(zone)
    assert.deepEqual(
      [maySend('a@shop.test', { now: AT + ENABLED_MS - 1 }), maySend('A@Shop.Test')],
      [false, true],
    )
    const [record] = listRecords(store, zone.id)
    if (record !== undefined) updateRecord(store, record, AT + 1)
    assert.deepEqual(
      [maySend('a@shop.test'), maySend('a@shop.test', { now: AT + ENABLED_MS + 1 })],
      [false, true],
    )
    assert.equal(maySend('a@shop.test', { now: AT + 1, timeScale: 0 }), true)
  })

  test('a sending domain is enabled only while each of its DNS records has the right content; TXT content may be in quotes', () => {
    const zone = addZone('active')
    addDomain(zone)
    for (const record of listRecords(store, zone.id)) {
      const quoted = record.type === 'TXT' ? `"${record.content}"` : record.content
      updateRecord(store, { ...record, content: `${record.content}x` }, AT)
      assert.equal(maySend('a@shop.test'), false, record.name)
      updateRecord(store, { ...record, content: quoted }, AT)
      assert.equal(maySend('a@shop.test'), true, record.name)
    }
  })

  test('a sending domain allows no mail from its subdomains or parent, by another account, or after its deletion', () => {
    const domain = addDomain(addZone('active'), 'news.shop.test')
    const other = createAccount(store, { name: 'Other', plan: 'paid', at: AT }).id
    assert.deepEqual(
      [
        maySend('a@news.shop.test'),
        maySend('a@x.news.shop.test'),
        maySend('a@shop.test'),
        maySend('a@news.shop.test', { owner: other }),
      ],
      [true, false, false, false],
    )
    deleteSendingDomain(store, domain)
    assert.equal(maySend('a@news.shop.test'), false)
  })

  test('an account cannot send from a pending or moved zone, for example because another account owns the domain', () => {
    addDomain(addZone('active'))
    const other = createAccount(store, { name: 'Other', plan: 'paid', at: AT }).id
    const taken = addZone('pending', 'shop.test', other)
    addDomain(taken)
    assert.deepEqual([maySend('a@shop.test'), maySend('a@shop.test', { owner: other })], [true, false])
    setZoneState(store, taken, 'moved')
    assert.equal(maySend('a@shop.test', { owner: other }), false)
    setZoneState(store, taken, 'active')
    assert.equal(maySend('a@shop.test', { owner: other }), true)
  })
})
