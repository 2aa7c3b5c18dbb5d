import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PackageRefusal } from '../agent/packages/resolve.ts'
import { starterTree } from '../agent/source/tree.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { bundleRelease, makeRelease } from './bundle.ts'

test('a package that cannot be fetched ends a ship with its reason, not as a fault of the service', async () => {
  const folderFor = () => Promise.reject(new PackageRefusal('The registry cannot be reached.'))
  const platform = { packages: { folderFor } } as unknown as Platform
  const bundling = bundleRelease(platform, makeRelease(starterTree('Unfetched'), new Set()))
  await assert.rejects(bundling, (error: unknown) => {
    assert.ok(error instanceof ProviderError)
    assert.equal(error.message, "The app's packages are missing: The registry cannot be reached.")
    return true
  })
})
