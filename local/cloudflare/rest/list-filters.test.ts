import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCloud } from '../../testing/cloud.ts'
import { createAccount } from '../accounts/accounts.ts'
import { issueToken } from '../accounts/tokens.ts'
import { insertZone } from '../store/zones.ts'
import { matchesName } from './list-filters.ts'

test("a name filter of an API list supports the provider's operators, and without one compares the whole name", () => {
  for (const [name, filter, isMatch] of [
    ['shop.test', 'shop.test', true],
    ['shop.test', 'SHOP.TEST', true],
    ['shop.test', 'shop', false],
    ['shop.test', 'equal:Shop.test', true],
    ['shop.test', 'not_equal:shop.test', false],
    ['shop.test', 'not_equal:blog.test', true],
    ['shop.test', 'starts_with:SHOP', true],
    ['shop.test', 'starts_with:test', false],
    ['shop.test', 'ends_with:.test', true],
    ['shop.test', 'contains:OP.', true],
    ['shop.test', 'contains:', true],
    ['Acme', 'contains_case_sensitive:ac', false],
    ['Acme', 'starts_with_case_sensitive:Ac', true],
    ['Acme', 'ends_with_case_sensitive:ME', false],
    // An unknown operator is part of the name.
    ['Team: A', 'Team: A', true],
    ['a:b', 'a:b', true],
    ['shop.test', 'constructor:shop', false],
  ] as const)
    assert.equal(matchesName(name, filter), isMatch, `${name} ${filter}`)
})

describe('lists that a query filters and sorts', () => {
  const cloud = testCloud()
  let both: string
  before(() => {
    const other = createAccount(cloud.store, { name: 'Bakery', plan: 'paid', at: 1 }).id
    const accounts = { accountId: cloud.accountId, otherAccounts: [other] }
    both = issueToken(cloud.store, { kind: 'api', ...accounts, scopes: [], at: 1 }).secret
    for (const [accountId, name, state] of [
      [cloud.accountId, 'shop.test', 'pending'],
      [other, 'blog.test', 'active'],
      [other, 'shop.example', 'moved'],
    ] as const)
      insertZone(cloud.store, { accountId, name, state, at: 1 })
  })
  after(() => cloud.close())

  const list = async (path: string, token = both) => {
    const { status, errors, result } = await cloud.call('GET', path, undefined, token)
    return status === 200 ? (result as { name: string }[]) : [[status, errors[0]?.code]]
  }
  const names = async (path: string) =>
    (await list(path))
      .map((one) => ('name' in one ? one.name : one))
      .filter((name) => !String(name).endsWith('localhost'))

  test('zones are filtered by operators, by any or all conditions, and sorted in either direction', async () => {
    assert.deepEqual(await names('/zones?name=starts_with:shop&order=name'), ['shop.example', 'shop.test'])
    assert.deepEqual(await names('/zones?name=ends_with:.test&order=name&direction=desc'), [
      'shop.test',
      'blog.test',
    ])
    assert.deepEqual(await names('/zones?account.name=contains:baker&order=name'), [
      'blog.test',
      'shop.example',
    ])
    assert.deepEqual(await names('/zones?name=contains:shop&status=moved'), ['shop.example'])
    assert.deepEqual(await names('/zones?name=blog.test&status=moved&match=any&order=name'), [
      'blog.test',
      'shop.example',
    ])
    assert.deepEqual(await names('/zones?match=any&order=name'), ['blog.test', 'shop.example', 'shop.test'])
    assert.deepEqual(await names('/zones?order=status'), ['blog.test', 'shop.example', 'shop.test'])
    assert.deepEqual(await names('/zones?order=size'), [[400, 10001]])
    assert.deepEqual(await names('/zones?direction=up'), [[400, 10001]])
  })

  test('a sorted list over several pages contains each item once', async () => {
    const seen: unknown[] = []
    for (let page = 1; page <= 8; page++)
      seen.push(...(await names(`/zones?order=account.name&direction=desc&per_page=1&page=${page}`)))
    assert.deepEqual(seen.toSorted(), ['blog.test', 'shop.example', 'shop.test'])
    assert.equal(seen.at(-1), 'shop.test')
  })

  test('accounts are found by their whole name and sorted in both directions', async () => {
    assert.deepEqual(await names('/accounts'), ['Acme', 'Bakery'])
    assert.deepEqual(await names('/accounts?direction=desc'), ['Bakery', 'Acme'])
    assert.deepEqual(await names('/accounts?name=Bakery'), ['Bakery'])
    assert.deepEqual(await names('/accounts?name=Bake'), [])
  })

  test('Turnstile widgets are filtered by a part of their name or key, and sorted by a field', async () => {
    const WIDGETS = '/A/challenges/widgets'
    for (const name of ['Login', 'signup', 'login again']) {
      await cloud.call('POST', WIDGETS, { name, domains: [], mode: 'managed' })
      cloud.clock.advance(1000)
    }
    assert.deepEqual(await names(`${WIDGETS}?filter=name:LOGIN`), ['Login', 'login again'])
    assert.deepEqual(await names(`${WIDGETS}?filter=sitekey:1X0&order=name`), [
      'Login',
      'login again',
      'signup',
    ])
    assert.deepEqual(await names(`${WIDGETS}?order=created_on&direction=desc`), [
      'login again',
      'signup',
      'Login',
    ])
    assert.deepEqual(await names(`${WIDGETS}?filter=name:`), ['Login', 'signup', 'login again'])
    for (const query of ['filter=domain:x', 'filter=login', 'order=secret', 'order=constructor'])
      assert.deepEqual(await names(`${WIDGETS}?${query}`), [[400, 10001]], query)
  })

  test('AI gateways are found by a part of their id', async () => {
    const GATEWAYS = '/A/ai-gateway/gateways'
    for (const id of ['shop', 'shop-test', 'blog']) await cloud.call('POST', GATEWAYS, { id })
    const found = (await cloud.call('GET', `${GATEWAYS}?search=shop`)).result as { id: string }[]
    assert.deepEqual(
      found.map(({ id }) => id),
      ['shop', 'shop-test'],
    )
  })
})
