import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayCountVisitor, isSampled, acceptEvent, visitorPseudonym } from './accept.ts'

const DECLARED = {
  events: [{ name: 'sold' }, { name: 'joined', groups: ['free', 'pro'] }],
  paths: ['/', '/plants/:id', '/plants/new'],
}
const acceptDraft = (draft: object) => acceptEvent(DECLARED, draft)
const groupOf = (group: unknown) => acceptDraft({ name: 'sold', group })?.group

test('a declared event keeps its group and value, and its page path is stored as a route pattern such as /plants/:id', () => {
  const draft = { name: 'sold', group: 'gift', value: 2.5, path: '/plants/f4fae1a2' }
  assert.deepEqual(acceptDraft(draft), { name: 'sold', group: 'gift', value: 2.5, path: '/plants/:id' })
  assert.deepEqual(acceptDraft({ name: 'sold' }), { name: 'sold', group: '', value: 0, path: '' })
})

test('events that are not declared are dropped', () => {
  for (const name of ['bought', 'SOLD', '', 'constructor', 7, null, ['sold'], undefined])
    assert.equal(acceptDraft({ name }), null, String(name))
})

test('a page view is counted for the declared path that its URL matches, and not counted when no path matches', () => {
  const viewed = (path: unknown) => acceptDraft({ name: 'pageview', path, group: 'forged', value: 9 })
  assert.deepEqual(viewed('/plants/new'), {
    name: 'pageview',
    group: '/plants/new',
    path: '/plants/new',
    value: 0,
  })
  assert.equal(viewed('/plants/ada@example.com')?.group, '/plants/:id')
  for (const path of ['/admin', '/plants/1/edit', '/plants/1?token=2/3', undefined, 4])
    assert.equal(viewed(path), null, String(path))
})

test('an event is counted without its group if the group looks like a name, id, address or phone number', () => {
  const personal = [
    'ada@example.com',
    'u_01k2m3n4p5q6r7s8t9v0w1x2y3',
    't_01k2m3n4p5q6r7s8t9v0w1x2y3',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '192.168.0.1',
    '2001:db8::1:2',
    '+43 660 123 45 67',
    '4111111111111111',
    '128934',
    'x'.repeat(65),
    7,
    { $ne: '' },
  ]
  for (const group of personal) assert.equal(groupOf(group), '', String(group))
  for (const group of [
    'pro',
    'Home & garden',
    'version 2.1',
    '2026-11',
    'subscription-yearly',
    "'; DROP TABLE x",
  ])
    assert.equal(groupOf(group), group)
})

test('a group that the event does not declare is dropped, and the event still counts', () => {
  assert.equal(acceptDraft({ name: 'joined', group: 'pro' })?.group, 'pro')
  assert.equal(acceptDraft({ name: 'joined', group: 'gold' })?.group, '')
})

test('an event whose value is not a number of at most a billion is dropped', () => {
  for (const value of ['1', Number.NaN, Infinity, 1e9 + 1, -1e12, [], {}])
    assert.equal(acceptDraft({ name: 'sold', value }), null, String(value))
  assert.equal(acceptDraft({ name: 'sold', value: -3 })?.value, -3)
})

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('bots, clients without a User-Agent, and people who opt out of tracking are not counted', () => {
  const counted = (headers: Record<string, string>) => mayCountVisitor(new Headers(headers))
  assert.ok(counted({ 'user-agent': BROWSER }))
  assert.ok(counted({ 'user-agent': BROWSER, 'sec-gpc': '0' }))
  assert.ok(!counted({ 'user-agent': BROWSER, 'sec-gpc': '1' }))
  for (const agent of [
    '',
    'Googlebot/2.1',
    'Mozilla/5.0 HeadlessChrome/140',
    'curl/8.1',
    'python-requests/2.32',
  ])
    assert.ok(!counted({ 'user-agent': agent }), agent)
})

const SALT = { salt: Buffer.alloc(32, 1).toString('base64') }
const requestFrom = (address: string, agent = BROWSER, url = 'https://plants.test/x') =>
  new Request(url, { headers: { 'cf-connecting-ip': address, 'user-agent': agent } })

test("a visitor's pseudonym is stable for a day in one app, differs between days and between apps, and does not reveal the IP address", () => {
  const visitor = visitorPseudonym(SALT, requestFrom('203.0.113.9'))
  assert.match(visitor, /^[0-9a-f]{20}$/)
  assert.equal(
    visitorPseudonym(SALT, requestFrom('203.0.113.9', BROWSER, 'https://plants.test/other?q=1')),
    visitor,
  )
  const others = [
    visitorPseudonym(SALT, requestFrom('203.0.113.10')),
    visitorPseudonym(SALT, requestFrom('203.0.113.9', 'Safari')),
    visitorPseudonym(SALT, requestFrom('203.0.113.9', BROWSER, 'https://other.test/')),
    visitorPseudonym({ salt: Buffer.alloc(32, 2).toString('base64') }, requestFrom('203.0.113.9')),
  ]
  assert.equal(new Set([visitor, ...others]).size, 5)
  assert.equal(
    visitorPseudonym(SALT, requestFrom('2001:db8:1:2::5')),
    visitorPseudonym(SALT, requestFrom('2001:db8:1:2::6')),
    'one household',
  )
})

test('event sampling keeps all events of a visitor or none, at the configured rate', () => {
  const visitors = Array.from({ length: 2000 }, (_, i) =>
    visitorPseudonym(SALT, requestFrom(`10.0.${i >> 8}.${i & 255}`)),
  )
  const kept = visitors.filter((one) => isSampled({ sampleRate: 0.25 }, one))
  assert.ok(kept.length > 400 && kept.length < 600, String(kept.length))
  for (const one of kept) assert.ok(isSampled({ sampleRate: 0.25 }, one))
  assert.ok(visitors.every((one) => isSampled({ sampleRate: 1 }, one)))
  const alone = Array.from({ length: 2000 }, () => isSampled({ sampleRate: 0.25 }, '')).filter(Boolean).length
  assert.ok(alone > 400 && alone < 600, String(alone))
})
