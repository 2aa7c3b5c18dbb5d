import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { bundleAdmin, bundleApp, bundleLive, bundleUploads } from './bundle.ts'
import { completeTree, starterTree } from '../source/tree.ts'

const sizeOf = (text: string | undefined): number => gzipSync(text ?? '').length

test('the workers of the platform stay within their budgets, compressed', async () => {
  const budgets = [
    [() => bundleLive(new Set()), 80_000],
    [bundleAdmin, 15_000],
    [bundleUploads, 15_000],
  ] as const
  for (const [bundle, budget] of budgets) {
    const { main, modules } = await bundle()
    const bytes = sizeOf(modules[main])
    assert.ok(bytes > 500 && bytes <= budget, `${bytes} of ${budget} bytes`)
  }
})

test("the platform's part of an app's server stays within 40 kB with everything on, compressed", async () => {
  const tree = completeTree(starterTree('Empty'), new Set(CAPABILITY_KEYS))
  const result = await bundleApp(tree, { parts: ['server'], minify: true })
  assert.ok(result.ok)
  const { main, modules } = result.bundle.server
  const bytes = sizeOf(modules[main])
  assert.ok(bytes > 500 && bytes <= 40_000, `${bytes} bytes`)
})
