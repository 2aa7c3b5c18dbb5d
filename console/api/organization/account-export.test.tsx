import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportAccount, IncompleteExport } from './account-export.ts'

test('an export whose response has no body is reported as incomplete', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response(null, { status: 200 }))
  await assert.rejects(
    exportAccount(new AbortController().signal, () => {}),
    IncompleteExport,
  )
})
