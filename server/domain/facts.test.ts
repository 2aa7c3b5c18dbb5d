import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DomainFacts, domainStateMessage, domainState } from './facts.ts'

const zone = { id: 'z', name: 'example.com', status: 'active', nameServers: [] }
const factsWith = (change: Partial<DomainFacts> = {}): DomainFacts => ({
  zone,
  service: 'shop',
  certificate: 'active',
  records: [],
  failure: null,
  ...change,
})
const liveApp = { service: 'shop', isLive: true }
const domainRow = { hostname: 'app.example.com', problem: null }

describe('the state of a domain', () => {
  const unreachable = { state: 'unreachable' as const, message: 'gone' }
  for (const [found, project, state] of [
    [factsWith({ failure: unreachable, zone: null }), liveApp, 'unreachable'],
    [factsWith({ failure: { ...unreachable, state: 'needs_reconnect' } }), liveApp, 'needs_reconnect'],
    [factsWith({ zone: null }), liveApp, 'pending_nameservers'],
    [factsWith({ zone: { ...zone, status: 'initializing' } }), liveApp, 'pending_nameservers'],
    [factsWith({ zone: { ...zone, status: 'pending' } }), liveApp, 'pending_nameservers'],
    [factsWith({ zone: { ...zone, status: 'moved' } }), liveApp, 'pending_nameservers'],
    [factsWith(), { ...liveApp, isLive: false }, 'pending_ship'],
    [factsWith({ service: null }), liveApp, 'pending_attach'],
    [factsWith({ service: 'another' }), liveApp, 'pending_attach'],
    [factsWith({ certificate: null }), liveApp, 'provisioning'],
    [factsWith({ certificate: 'pending_validation' }), liveApp, 'provisioning'],
    [factsWith(), liveApp, 'active'],
  ] as const) {
    const seen = found.zone === null ? 'no zone' : `zone ${found.zone.status}`
    test(`a custom domain of ${project.isLive ? 'a live app' : 'an app that is not live'} with ${seen}, worker ${found.service}, certificate ${found.certificate} and failure ${found.failure?.state ?? 'none'} has the state ${state}`, () => {
      assert.equal(domainState(found, project), state)
    })
  }
})

describe('the message for a state', () => {
  test("the message of a domain's status says what prevents the domain from becoming active, and is null when nothing prevents it", () => {
    const records = [{ type: 'CNAME', content: 'old.example.net' }]
    assert.match(
      domainStateMessage('pending_attach', factsWith({ service: null, records }), domainRow) ?? '',
      /CNAME old\.example/,
    )
    assert.match(
      domainStateMessage('pending_attach', factsWith({ service: 'blog' }), domainRow) ?? '',
      /the worker blog/,
    )
    assert.match(
      domainStateMessage('pending_nameservers', factsWith({ zone: null }), domainRow) ?? '',
      /Add it there/,
    )
    assert.match(
      domainStateMessage(
        'pending_nameservers',
        factsWith({ zone: { ...zone, status: 'moved' } }),
        domainRow,
      ) ?? '',
      /moved away/,
    )
    assert.match(
      domainStateMessage('provisioning', factsWith({ certificate: 'validation_timed_out' }), domainRow) ?? '',
      /validation timed out/,
    )
    const problem = 'The last ship could not attach it.'
    assert.equal(
      domainStateMessage('pending_attach', factsWith({ service: null }), { ...domainRow, problem }),
      problem,
    )
    for (const state of ['active', 'provisioning', 'pending_ship'] as const)
      assert.equal(domainStateMessage(state, factsWith(), domainRow), null)
  })
})
