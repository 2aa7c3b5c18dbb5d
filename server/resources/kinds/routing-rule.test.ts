import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { closeProviders, okResponse, startProvider } from '../../cloudflare/testing.ts'
import type { ProjectContext, RegisteredResource } from './kind.ts'
import { routingRule } from './routing-rule.ts'

type Responder = Parameters<typeof startProvider>[0]
const row = (provider_id: string | null = 'r1'): RegisteredResource => ({
  id: 'res_1',
  kind: 'routing_rule',
  name: 'hi@shop.test',
  account_id: 'acc',
  tier: 'shared',
  capability: 'email',
  provider_id,
  version_id: null,
  state: 'ok',
})
/** No function of this kind reads the project. */
const of = {} as ProjectContext
const rule = (more: object = {}) => ({
  id: 'r1',
  name: 'slipway:shop:hi',
  enabled: true,
  matchers: [{ type: 'literal', field: 'to', value: 'hi@shop.test' }],
  actions: [{ type: 'worker', value: ['shop-live'] }],
  ...more,
})

/** Starts an account with these rules and zones; by default its only zone is that of the address. */
async function startRules(
  rules: object[],
  zones: object[] = [{ id: 'z1', name: 'shop.test', status: 'active' }],
) {
  const answer: Responder = (request, response) => {
    const isZones = new URL(request.url, 'http://x').pathname === '/zones'
    return okResponse(request.method !== 'GET' ? {} : isZones ? zones : rules)(request, response)
  }
  const { cloud, calls } = await startProvider(answer)
  return { cloud, writes: () => calls().filter((call) => !String(call).startsWith('GET ')) }
}

describe('the resource of a rule for mail to one address', () => {
  after(closeProviders)
  const find = async (...given: Parameters<typeof startRules>) =>
    routingRule.find((await startRules(...given)).cloud, row(), of)

  test('a routing rule resource is ok when its rule is enabled and leads to the live worker whose slug is in the name of the rule', async () => {
    assert.equal(await find([rule()]), 'ok')
    const renamed = { name: 'slipway:old-shop:hi', actions: [{ type: 'worker', value: ['old-shop-live'] }] }
    assert.equal(await find([rule(renamed)]), 'ok')
  })

  test('a routing rule resource is drifted when a person has disabled, renamed or redirected its rule', async () => {
    const changes = [
      { enabled: false },
      { name: 'My rule' },
      { name: 'slipway:shop:other' },
      { actions: [{ type: 'worker', value: ['other-live'] }] },
      { actions: [{ type: 'forward', value: ['shop-live'] }] },
      { actions: [{ type: 'worker' }] },
      { actions: [] },
    ]
    for (const change of changes) assert.equal(await find([rule(change)]), 'drifted')
  })

  test('a routing rule resource is missing without its rule or without its zone, even when other addresses have rules', async () => {
    const other = rule({ matchers: [{ type: 'literal', field: 'to', value: 'ho@shop.test' }] })
    assert.equal(await find([other]), 'missing')
    assert.equal(await find([rule({ matchers: [{ type: 'all' }] })]), 'missing')
    assert.equal(await find([rule()], []), 'missing')
  })

  test('removing a routing rule resource deletes its rule, even when the id of the rule was never stored', async () => {
    for (const id of ['r1', null]) {
      const { cloud, writes } = await startRules([rule()])
      await routingRule.remove(cloud, row(id), of)
      assert.deepEqual(writes(), ['DELETE /zones/z1/email/routing/rules/r1'])
    }
  })

  test('a routing rule that a person has renamed or created again is not removed, and a deleted rule counts as removed', async () => {
    const kept: Parameters<typeof startRules>[] = [
      [[rule({ name: 'My rule' })]],
      [[rule({ id: 'r2' })]],
      [[]],
      [[rule()], []],
    ]
    for (const given of kept) {
      const { cloud, writes } = await startRules(...given)
      await routingRule.remove(cloud, row(), of)
      assert.deepEqual(writes(), [])
    }
  })
})
