import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Facts, messageOf, stateOf } from './facts.ts'

const zone = { id: 'z', name: 'example.com', status: 'active', nameServers: [] }
const facts = (change: Partial<Facts> = {}): Facts => ({
  zone,
  service: 'shop',
  certificate: 'active',
  records: [],
  failure: null,
  ...change,
})
const live = { service: 'shop', isLive: true }
const about = { hostname: 'app.example.com', problem: null }

describe('the state of a domain', () => {
  const unreachable = { state: 'unreachable' as const, message: 'gone' }
  for (const [found, project, state] of [
    [facts({ failure: unreachable, zone: null }), live, 'unreachable'],
    [facts({ failure: { ...unreachable, state: 'needs_reconnect' } }), live, 'needs_reconnect'],
    [facts({ zone: null }), live, 'pending_nameservers'],
    [facts({ zone: { ...zone, status: 'initializing' } }), live, 'pending_nameservers'],
    [facts({ zone: { ...zone, status: 'pending' } }), live, 'pending_nameservers'],
    [facts({ zone: { ...zone, status: 'moved' } }), live, 'pending_nameservers'],
    [facts(), { ...live, isLive: false }, 'pending_ship'],
    [facts({ service: null }), live, 'pending_attach'],
    [facts({ service: 'another' }), live, 'pending_attach'],
    [facts({ certificate: null }), live, 'provisioning'],
    [facts({ certificate: 'pending_validation' }), live, 'provisioning'],
    [facts(), live, 'active'],
  ] as const) {
    const seen = found.zone === null ? 'no zone' : `zone ${found.zone.status}`
    test(`a domain with ${seen}, worker ${found.service} and certificate ${found.certificate} is ${state}`, () => {
      assert.equal(stateOf(found, project), state)
    })
  }
})

describe('the message beside the state', () => {
  test("the message beside a domain's state names what blocks the domain, and is null otherwise", () => {
    const records = [{ type: 'CNAME', content: 'old.example.net' }]
    assert.match(
      messageOf('pending_attach', facts({ service: null, records }), about) ?? '',
      /CNAME old\.example/,
    )
    assert.match(messageOf('pending_attach', facts({ service: 'blog' }), about) ?? '', /the worker blog/)
    assert.match(messageOf('pending_nameservers', facts({ zone: null }), about) ?? '', /Add it there/)
    assert.match(
      messageOf('pending_nameservers', facts({ zone: { ...zone, status: 'moved' } }), about) ?? '',
      /moved away/,
    )
    assert.match(
      messageOf('provisioning', facts({ certificate: 'validation_timed_out' }), about) ?? '',
      /validation timed out/,
    )
    const problem = 'The last ship could not attach it.'
    assert.equal(messageOf('pending_attach', facts({ service: null }), { ...about, problem }), problem)
    for (const state of ['active', 'provisioning', 'pending_ship'] as const)
      assert.equal(messageOf(state, facts(), about), null)
  })
})
