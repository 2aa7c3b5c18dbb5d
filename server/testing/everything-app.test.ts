import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { readManifest } from '../agent/source/manifest.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { everythingFiles, OPERATOR_CHANGES } from './everything-app.ts'

/** Secrets without which the app works, too: it takes payments of test mode only, asks models without a key, and sends no hooks. */
const LEFT_OUT_SECRETS = ['pay.stripeKey', 'ai.providerKey', 'hook.sendKey']

test('the test app that uses everything has every secret of a capability, except those without which it works', () => {
  const missing = CAPABILITY_KEYS.flatMap((key) => {
    const { settings = {}, secrets = {} } = OPERATOR_CHANGES[key] ?? {}
    const declared = capabilityOf(key)
    const needed = Object.keys(declared.secrets(declared.settings.parse(settings)))
    return needed.filter((name) => !Object.hasOwn(secrets, name)).map((name) => `${key}.${name}`)
  })
  assert.deepEqual(missing.sort(), LEFT_OUT_SECRETS.toSorted())
})

test('the test app that uses everything is valid and has each field that a capability adds to app.json', () => {
  const text = everythingFiles().get('app.json') ?? ''
  const read = readManifest(text)
  assert.ok(read.ok, JSON.stringify(read))
  const had = JSON.parse(text) as object
  const fields = CAPABILITY_KEYS.flatMap((key) => Object.keys(capabilityOf(key).manifest))
  assert.ok(fields.length > 8)
  for (const field of fields) assert.ok(Object.hasOwn(had, field), `MANIFEST lacks “${field}”`)
})
