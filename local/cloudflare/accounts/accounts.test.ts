import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../../schema.ts'
import type { Store } from '../../world/store.ts'
import { listZones } from '../store/zones.ts'
import {
  createAccount,
  findAccountByHint,
  listAccounts,
  readAccount,
  restoreAccount,
  subdomainProblem,
} from './accounts.ts'

describe('accounts of the local cloud', () => {
  let store: Store
  beforeEach(() => {
    store = openStore(':memory:')
  })
  afterEach(() => store.close())

  const create = (
    name: string,
    more: { loginHint?: string } = {},
    keep: { id?: string; subdomain?: string } = {},
  ) => createAccount(store, { name, plan: 'paid', at: 1, ...more }, keep)

  test('the subdomain of an account is its name in ASCII letters, so that the addresses of its apps are readable', () => {
    const names = [
      ['Acme Inc.', 'acme-inc'],
      ['Müller & Söhne', 'muller-sohne'],
      ['Café Noir', 'cafe-noir'],
      ['ÉCLAIR', 'eclair'],
      ['  --Dash--  ', 'dash'],
      ['ﬁne ²', 'fine-2'],
      ['書籍', 'account'],
      ['😀', 'account-2'],
      ['', 'account-3'],
      ['My Demo', 'my-demo-2'],
      ['Old New', 'old-new-2'],
      ['Demo', 'demo'],
      ['a'.repeat(80), 'a'.repeat(30)],
      [`${'b'.repeat(29)} c`, 'b'.repeat(29)],
    ] as const
    assert.deepEqual(
      names.map(([name]) => [name, create(name).subdomain]),
      names,
    )
  })

  test('accounts with the same name get different subdomains', () => {
    const subdomains = Array.from({ length: 12 }, () => create('Shop').subdomain)
    assert.deepEqual([new Set(subdomains).size, subdomains.at(-1)], [12, 'shop-12'])
    for (const subdomain of subdomains)
      assert.equal(subdomainProblem(store, subdomain ?? ''), 'subdomain is taken')
  })

  test('an account subdomain that is not a lower-case DNS label or is reserved for example zones is rejected', () => {
    const good = ['a', '0', 'a-b', 'xn--bcher-kva', 'a'.repeat(63), 'demo', 'new', 'demo-shop', 'renew']
    const bad = ['', '-', '-a', 'a-', 'A', 'a.b', 'a_b', 'ä', 'a b', 'a\n', 'a'.repeat(64), 'x-demo', 'x-new']
    for (const label of good) assert.equal(subdomainProblem(store, label), null, label)
    for (const label of bad) assert.notEqual(subdomainProblem(store, label), null, label)
  })

  test('every account starts with an active and a pending example zone under its subdomain', () => {
    const { id } = create('Shop')
    assert.deepEqual(
      listZones(store, id).map(({ name, state }) => [name, state]),
      [
        ['shop-demo.localhost', 'active'],
        ['shop-new.localhost', 'pending'],
      ],
    )
  })

  test('a lost account is restored with its old id and subdomain, and a second restore changes nothing', () => {
    const lost = { name: 'Lost', plan: 'paid', loginHint: 'org_1', at: 5 } as const
    const id = 'a'.repeat(32)
    const made = restoreAccount(store, id, 'old-place', lost)
    assert.deepEqual([made.id, made.subdomain, findAccountByHint(store, 'org_1')?.id], [id, 'old-place', id])
    assert.deepEqual(restoreAccount(store, id, 'elsewhere', { ...lost, name: 'Other', at: 9 }), made)
    assert.equal(listAccounts(store).length, 1)
  })

  test('a lost account is restored without a subdomain or organization that another account has, or an invalid subdomain', () => {
    const taken = create('Taken', { loginHint: 'org_1' })
    const id = 'b'.repeat(32)
    const made = restoreAccount(store, id, taken.subdomain ?? '', {
      name: 'Lost',
      plan: 'paid',
      loginHint: 'org_1',
      at: 5,
    })
    assert.deepEqual([made.id, made.subdomain], [id, 'lost'])
    assert.equal(findAccountByHint(store, 'org_1')?.id, taken.id)
    assert.equal(
      restoreAccount(store, 'c'.repeat(32), 'not a label', { name: 'X', plan: 'free', at: 5 }).subdomain,
      'x',
    )
  })

  test('an account that cannot be stored leaves neither an account nor example zones', () => {
    const { id } = create('First', { loginHint: 'org_1' })
    assert.throws(() => create('Second', { loginHint: 'org_1' }), /UNIQUE/)
    assert.throws(() => create('Third', {}, { id }), /UNIQUE/)
    assert.deepEqual(
      listAccounts(store).map(({ name }) => name),
      ['First'],
    )
    assert.deepEqual([readAccount(store, 'none'), listZones(store, id).length], [null, 2])
  })
})
