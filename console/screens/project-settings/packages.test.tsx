import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isShown, show } from '../../testing/console.tsx'
import { PackageList } from './packages.tsx'

describe('the packages of an app', () => {
  test('each package is shown with its version, size and purpose, and a package outside the curated list is marked as such', () => {
    const chart = { name: 'recharts', version: '3.11.0', sizeBytes: 6_200_000, license: 'MIT' }
    const own = { name: '@acme/widget', version: '1.2.3', sizeBytes: 940, license: null, purpose: null }
    show(<PackageList items={[{ ...chart, purpose: 'charts as components' }, own]} dependencies={12} />)
    for (const words of [
      '3.11.0',
      '6.2 MB unpacked',
      'recharts',
      'recharts',
      'charts as components',
      '@acme/widget',
      '940 B unpacked',
      'Not on our list',
      'They need 12 more',
      'Which packages builds may add',
    ])
      assert.ok(isShown(new RegExp(words)), words)
  })

  test('the size of a package is left out when the registry does not state it', () => {
    const one = { name: 'clsx', version: '2.1.1', sizeBytes: 0, license: 'MIT', purpose: null }
    show(<PackageList items={[one]} dependencies={0} />)
    assert.ok(isShown('clsx') && !isShown(/unpacked/))
  })

  test('the page of an app without packages says that a build adds one when a ticket needs it', () => {
    show(<PackageList items={[]} dependencies={0} />)
    assert.ok(isShown(/A build adds one when a ticket needs it/))
  })
})
