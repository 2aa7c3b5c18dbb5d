import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../schema.ts'
import type { Store } from '../world/store.ts'
import {
  actsFor,
  findAccount,
  findByHint,
  listOrganizations,
  listUsers,
  seedGithub,
  userForHint,
} from './accounts.ts'

describe('people and organizations of the local code host', () => {
  let store: Store
  beforeEach(() => {
    store = openStore(':memory:')
  })
  afterEach(() => store.close())

  test("a code host login is the person's name in ASCII letters, cut so that a number can be appended", () => {
    const logins = [
      ['Ada Lovelace', 'ada-lovelace'],
      ['Zoë Çelik', 'zoe-celik'],
      ['--x--', 'x'],
      ['日本', 'user'],
      ['!', 'user-2'],
      ['x'.repeat(60), 'x'.repeat(32)],
      [`${'x'.repeat(31)} ${'y'.repeat(9)}`, 'x'.repeat(31)],
      ['X'.repeat(60), `${'x'.repeat(32)}-2`],
    ] as const
    assert.deepEqual(
      logins.map(([name]) => [name, userForHint(store, '', name, 1).login]),
      logins,
    )
    for (const { login } of listUsers(store)) assert.match(login, /^[a-z0-9](?:-?[a-z0-9]){0,38}$/)
  })

  test('sign-ins with the same login hint belong to one person, and each sign-in without a hint creates a new person', () => {
    const first = userForHint(store, 'org_1', 'Ada', 1)
    assert.deepEqual(userForHint(store, 'org_1', 'Other', 2), first)
    assert.deepEqual(
      [findByHint(store, 'org_1')?.id, findByHint(store, 'org_2'), findByHint(store, '')],
      [first.id, null, null],
    )
    assert.notEqual(userForHint(store, '', 'Ada', 3).id, userForHint(store, '', 'Ada', 4).id)
  })

  test('a code host account is found by its login, ignoring case', () => {
    const { id } = userForHint(store, '', 'Ada', 1)
    assert.deepEqual([findAccount(store, 'ADA')?.id, findAccount(store, 'ada2')], [id, null])
  })

  test('the first start of the local code host creates one person with an organization, and a later start changes nothing', () => {
    for (const at of [1, 2]) seedGithub(store, at)
    const [owner, ...others] = listUsers(store)
    assert.deepEqual([owner?.login, others], ['owner', []])
    assert.deepEqual(
      listOrganizations(store, owner?.id ?? 0).map(({ login, type }) => [login, type]),
      [['demo', 'Organization']],
    )
  })

  test('a code host user may act for themselves and their organization, and for no other account', () => {
    seedGithub(store, 1)
    const [owner] = listUsers(store)
    const stranger = userForHint(store, '', 'Stranger', 1)
    const demo = findAccount(store, 'demo')
    const acts = (who: number | undefined, of: number | undefined) => actsFor(store, who ?? 0, of ?? 0)
    assert.deepEqual(
      [acts(owner?.id, owner?.id), acts(owner?.id, demo?.id), acts(demo?.id, owner?.id)],
      [true, true, false],
    )
    assert.deepEqual([acts(stranger.id, demo?.id), acts(stranger.id, owner?.id)], [false, false])
  })
})
