import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isShown, show } from '../../testing/console.tsx'
import { PackageList } from './packages.tsx'

describe('the packages of an app', () => {
  test('each npm package of an app is shown with its version, size and purpose, and marked when it is not on the curated list', () => {
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

  test('the size of an npm package is omitted when the registry does not state it', () => {
    const one = { name: 'clsx', version: '2.1.1', sizeBytes: 0, license: 'MIT', purpose: null }
    show(<PackageList items={[one]} dependencies={0} />)
    assert.ok(isShown('clsx') && !isShown(/unpacked/))
  })

  test('the packages page of an app without packages says that a build adds one when a ticket needs it', () => {
    show(<PackageList items={[]} dependencies={0} />)
    assert.ok(isShown(/A build adds one when a ticket needs it/))
  })
})
