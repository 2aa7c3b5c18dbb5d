import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { requireDeclarations } from './capability-parts.ts'

test('generating the modules of the capabilities fails with the path of each declaration that is missing', () => {
  requireDeclarations()
  assert.throws(() => requireDeclarations([...CAPABILITY_KEYS, 'fax', 'telex']), {
    message:
      'Missing: server/capabilities/fax/declaration.ts, server/capabilities/telex/declaration.ts. Each key in runtime/capabilities.ts needs this file.',
  })
})
