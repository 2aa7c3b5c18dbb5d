import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PackageRefusal } from '../agent/packages/resolve.ts'
import { starterTree } from '../agent/source/tree.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Ports } from '../platform.ts'
import { bundleRelease, makeRelease } from './bundle.ts'

type Bundlers = Pick<Ports, 'checkers' | 'packages'>

const workOf = (platform: Bundlers) => ({
  platform,
  project: { org_id: 'org_1' },
  signal: AbortSignal.timeout(10_000),
})

test('bundling a release with a package that cannot be fetched throws a provider error with the reason', async () => {
  const reason =
    'chart 1.0.0 could not be fetched: the registry cannot be reached; try again later or do without it.'
  const folderFor = () => Promise.reject(new PackageRefusal(reason))
  const platform = { packages: { folderFor } } as unknown as Bundlers
  const bundling = bundleRelease(workOf(platform), makeRelease(starterTree('Unfetched'), new Set()))
  await assert.rejects(bundling, (error: unknown) => {
    assert.ok(error instanceof ProviderError)
    assert.equal(error.message, `A package of the app is missing here. ${reason}`)
    return true
  })
})

test('package installation and bundling for a release are both queued under the id of its organization', async () => {
  const owners: unknown[] = []
  const folderFor = async (_tree: unknown, { owner }: { owner: string }) => {
    owners.push(owner)
    return null
  }
  const bundle = async (_tree: unknown, { owner }: { owner?: string }) => {
    owners.push(owner)
    return {}
  }
  const platform = { packages: { folderFor }, checkers: { bundle } } as unknown as Bundlers
  await bundleRelease(workOf(platform), makeRelease(starterTree('In turn'), new Set()))
  assert.deepEqual(owners, ['org_1', 'org_1'])
})

for (const [what, text, reason] of [
  ['missing', null, /^The app\.json of this version cannot be read: is not JSON/],
  ['not JSON', '{', /^The app\.json of this version cannot be read: is not JSON/],
  [
    'refused',
    '{"slipway":1,"name":"Old","pages":7}',
    /cannot be read: pages .*Build a ticket that corrects it\.$/,
  ],
] as const)
  test(`bundling a version whose app.json is ${what} throws instead of making an empty app`, async () => {
    const files = new Map(starterTree('Broken'))
    files.delete('app.json')
    if (text !== null) files.set('app.json', text)
    const platform = {
      packages: { folderFor: async () => null },
      checkers: { bundle: async () => ({}) },
    } as unknown as Bundlers
    const bundling = bundleRelease(workOf(platform), makeRelease(files, new Set()))
    await assert.rejects(bundling, (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'conflict')
      assert.match(error.message, reason)
      return true
    })
  })
