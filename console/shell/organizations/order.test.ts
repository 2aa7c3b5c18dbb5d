import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findOrganizations, isSlug, orderOrganizations, slugOf } from './order.ts'

describe('the organizations of a user', () => {
  const named = (name: string) => ({ id: `org_${name}`, name, slug: name.toLowerCase() })
  const all = ['Zebra', 'Acme', 'Mill', 'Dock'].map(named)

  test('recently used organizations are listed first, followed by all others in order of their names', () => {
    const ordered = orderOrganizations(all, ['org_Mill', 'org_gone', 'org_Zebra'])
    assert.deepEqual(
      ordered.map(({ name }) => name),
      ['Mill', 'Zebra', 'Acme', 'Dock'],
    )
  })

  test('organizations are found by a part of the name, in any letter case', () => {
    assert.deepEqual(
      findOrganizations(all, ' mI').map(({ name }) => name),
      ['Mill'],
    )
    assert.equal(findOrganizations(all, '').length, 4)
    assert.deepEqual(findOrganizations(all, 'x'), [])
  })

  test('a valid short name can be made from every organization name', () => {
    assert.equal(slugOf('Ada’s Gärten & Co.'), 'ada-s-garten-co')
    assert.equal(slugOf('日本', 3), 'team-3')
    for (const name of ['Acme', 'x'.repeat(200), `${'x'.repeat(42)} y`, '日本', '--'])
      assert.ok(isSlug(slugOf(name, 12)), slugOf(name, 12))
  })

  test('a short name with a space, a capital letter, two dashes in a row or a dash at either end is invalid', () => {
    for (const slug of ['', 'Acme', 'a b', '-a', 'a-', 'a--b', 'x'.repeat(49)])
      assert.equal(isSlug(slug), false)
  })
})
