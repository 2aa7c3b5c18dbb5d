import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  changeRule,
  createRule,
  enableRouting,
  ensureSendingDomain,
  findSendingDomain,
  listRules,
  readRoutingStatus,
  readSendingRecords,
  removeRule,
  removeSendingDomain,
  type RoutingRule,
  ruleOf,
} from './email.ts'
import { closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'

const ZONE = '/zones/z1/email'
const RULES_PAGE_1 = `GET ${ZONE}/routing/rules?page=1&per_page=50`
const missing = errorResponse(404, 2007, 'Not found')
const domain = (name: string) => ({ tag: `tag-${name}`, name, enabled: true })
const desired = { name: 'Shop', address: 'hi@shop.test', worker: 'shop' }
const rule = (id: string, address: string): RoutingRule => ({
  id,
  name: '',
  enabled: true,
  matchers: [{ type: 'literal', field: 'to', value: address }],
  actions: [{ type: 'worker', value: ['shop'] }],
})
const catchAll: RoutingRule = { ...rule('all', ''), matchers: [{ type: 'all' }] }

describe('sending domains at Cloudflare', () => {
  after(closeProviders)

  test('a sending domain is found whatever the case of its name, and a subdomain of it is another domain', async () => {
    const { cloud, calls } = await startProvider(okResponse([domain('mail.shop.test'), domain('Shop.TEST')]))
    assert.deepEqual(await findSendingDomain(cloud, 'z1', 'shop.test'), domain('Shop.TEST'))
    assert.equal(await findSendingDomain(cloud, 'z1', 'ail.shop.test'), null)
    assert.deepEqual(calls(), Array(2).fill(`GET ${ZONE}/sending/subdomains?page=1&per_page=50`))
  })

  test('a sending domain is found on a later page when its zone has more than fifty', async () => {
    const fifty = Array.from({ length: 50 }, (_, n) => domain(`s${n}.shop.test`))
    const pages = [okResponse(fifty), okResponse([domain('shop.test')])]
    const { cloud, calls } = await startProvider(...pages)
    assert.deepEqual(await findSendingDomain(cloud, 'z1', 'shop.test'), domain('shop.test'))
    assert.deepEqual(
      calls(),
      [1, 2].map((page) => `GET ${ZONE}/sending/subdomains?page=${page}&per_page=50`),
    )
  })

  test('a sending domain that already exists is returned and not created again', async () => {
    const { cloud, seen, records } = await startProvider(okResponse([domain('shop.test')]))
    assert.deepEqual(await ensureSendingDomain(cloud, 'z1', 'shop.test'), domain('shop.test'))
    assert.equal(seen.length, 1)
    assert.deepEqual(records, [])
  })

  test('a sending domain whose creation was refused is used when another caller has created it, and otherwise the refusal is thrown', async () => {
    const refused = errorResponse(409, 2008, 'Subdomain already exists')
    const raced = await startProvider(okResponse([]), refused, okResponse([domain('shop.test')]))
    assert.deepEqual(await ensureSendingDomain(raced.cloud, 'z1', 'shop.test'), domain('shop.test'))
    assert.equal(raced.seen.length, 3)
    const alone = await startProvider(okResponse([]), refused, okResponse([]))
    await assert.rejects(ensureSendingDomain(alone.cloud, 'z1', 'shop.test'), {
      message: 'The cloud account refused to set shop.test up for sending mail: Subdomain already exists.',
    })
    assert.equal(alone.seen.length, 3)
    assert.deepEqual(alone.records, ['email.domain.create shop.test failed'])
  })

  test('a sending domain whose creation got no response is created once more when it does not exist', async () => {
    const { cloud, calls, records } = await startProvider(
      okResponse([]),
      hangUp,
      okResponse([]),
      okResponse(domain('shop.test')),
    )
    assert.deepEqual(await ensureSendingDomain(cloud, 'z1', 'shop.test'), domain('shop.test'))
    const list = `GET ${ZONE}/sending/subdomains?page=1&per_page=50`
    const create = [`POST ${ZONE}/sending/subdomains`, { name: 'shop.test' }]
    assert.deepEqual(calls(), [list, create, list, create])
    assert.deepEqual(records, ['email.domain.create shop.test failed', 'email.domain.create shop.test ok'])
  })

  test('the DNS records that a sending domain needs are read from Cloudflare, and a record without content throws an error', async () => {
    const wanted = [{ type: 'MX', name: 'shop.test', content: 'mx.test', priority: 10 }]
    const { cloud, calls } = await startProvider(
      okResponse(wanted),
      okResponse([{ type: 'TXT', name: 'shop.test' }]),
    )
    assert.deepEqual(await readSendingRecords(cloud, 'z1', domain('shop.test')), wanted)
    await assert.rejects(readSendingRecords(cloud, 'z1', domain('shop.test')), {
      message:
        'The cloud account returned an unexpected response when asked to read which DNS records shop.test needs.',
      cause: 'unexpected response at: 0.content',
    })
    assert.deepEqual(calls(), Array(2).fill(`GET ${ZONE}/sending/subdomains/tag-shop.test/dns`))
  })

  test('a sending domain and a mail routing rule that no longer exist count as removed', async () => {
    const { cloud, calls, records } = await startProvider(missing)
    await removeSendingDomain(cloud, 'z1', domain('shop.test'))
    await removeRule(cloud, 'z1', { id: 'r/1', address: 'hi@shop.test' })
    assert.deepEqual(calls(), [
      `DELETE ${ZONE}/sending/subdomains/tag-shop.test`,
      `DELETE ${ZONE}/routing/rules/r/1`,
    ])
    assert.deepEqual(records, ['email.domain.remove shop.test ok', 'email.rule.remove hi@shop.test ok'])
  })
})

describe('mail routing at Cloudflare', () => {
  after(closeProviders)

  test('the mail routing of a zone without a status counts as unconfigured', async () => {
    const { cloud } = await startProvider(okResponse({ enabled: true }), okResponse({ status: 'ready' }))
    assert.deepEqual(
      [await readRoutingStatus(cloud, 'z1'), await readRoutingStatus(cloud, 'z1')],
      ['unconfigured', 'ready'],
    )
  })

  test('a request to enable mail routing is retried after a lost response', async () => {
    const { cloud, calls, records } = await startProvider(hangUp, okResponse(null))
    await enableRouting(cloud, { id: 'z1', name: 'shop.test' })
    const enable = [`POST ${ZONE}/routing/dns`, {}]
    assert.deepEqual(calls(), [enable, enable])
    assert.deepEqual(records, ['email.routing.enable shop.test ok'])
  })

  test('mail routing rules are read page by page until a page is not full, up to a thousand rules', async () => {
    const page = okResponse(Array.from({ length: 50 }, (_, i) => rule(`r${i}`, `a${i}@shop.test`)))
    const some = await startProvider(page, page, okResponse([]))
    assert.equal((await listRules(some.cloud, 'z1')).length, 100)
    assert.deepEqual(
      some.calls(),
      [1, 2, 3].map((n) => `GET ${ZONE}/routing/rules?page=${n}&per_page=50`),
    )
    const endless = await startProvider(page)
    assert.equal((await listRules(endless.cloud, 'z1')).length, 1000)
    assert.equal(endless.seen.length, 20)
  })

  test('a mail routing rule that Cloudflare returns without a name and a state has an empty name and counts as enabled', async () => {
    const { cloud } = await startProvider(okResponse([{ id: 'r1', matchers: [], actions: [] }]))
    assert.deepEqual(await listRules(cloud, 'z1'), [
      { id: 'r1', name: '', enabled: true, matchers: [], actions: [] },
    ])
  })

  test('the routing rule of a mail address is found in upper or lower case, and the catch-all rule is never returned instead', () => {
    const rules = [catchAll, rule('r1', 'Hi@Shop.test'), rule('r2', 'hi@shop.test')]
    assert.equal(ruleOf(rules, 'hi@shop.test')?.id, 'r1')
    assert.equal(ruleOf(rules, 'other@shop.test'), null)
    assert.equal(ruleOf([catchAll], ''), null)
  })

  test('a mail routing rule whose creation got no response is found by its address instead of being created twice', async () => {
    const { cloud, calls } = await startProvider(hangUp, okResponse([catchAll, rule('r1', 'hi@shop.test')]))
    assert.equal((await createRule(cloud, 'z1', desired)).id, 'r1')
    assert.deepEqual(calls(), [
      [
        `POST ${ZONE}/routing/rules`,
        {
          name: 'Shop',
          enabled: true,
          matchers: [{ type: 'literal', field: 'to', value: 'hi@shop.test' }],
          actions: [{ type: 'worker', value: ['shop'] }],
        },
      ],
      RULES_PAGE_1,
    ])
  })

  test('a mail routing rule is created once more when its creation got no response and no rule has its address', async () => {
    const { cloud, seen, records } = await startProvider(
      hangUp,
      okResponse([catchAll]),
      okResponse(rule('r2', 'hi@shop.test')),
    )
    assert.equal((await createRule(cloud, 'z1', desired)).id, 'r2')
    assert.equal(seen.length, 3)
    assert.deepEqual(records, ['email.rule.create hi@shop.test failed', 'email.rule.create hi@shop.test ok'])
  })

  test('changing a mail routing rule replaces the whole rule, and the id of the rule is percent-encoded in the request URL', async () => {
    const { cloud, requests, records } = await startProvider(okResponse(rule('r/1', 'hi@shop.test')))
    assert.deepEqual(await changeRule(cloud, 'z1', 'r/1', desired), rule('r/1', 'hi@shop.test'))
    assert.deepEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      [`PUT ${ZONE}/routing/rules/r%2F1`],
    )
    assert.deepEqual(records, ['email.rule.change hi@shop.test ok'])
  })
})
