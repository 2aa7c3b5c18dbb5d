import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { readManifest } from '../agent/source/manifest.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { everythingFiles } from './everything-app.ts'

test('the test app that uses everything is valid and has each field that a capability adds to app.json', () => {
  const text = everythingFiles().get('app.json') ?? ''
  const read = readManifest(text)
  assert.ok(read.ok, JSON.stringify(read))
  const had = JSON.parse(text) as object
  const fields = CAPABILITY_KEYS.flatMap((key) => Object.keys(capabilityOf(key).manifest))
  assert.ok(fields.length > 8)
  for (const field of fields) assert.ok(Object.hasOwn(had, field), `MANIFEST lacks “${field}”`)
})
