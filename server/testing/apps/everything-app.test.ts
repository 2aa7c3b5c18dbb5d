import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { readManifest } from '../../agent/source/manifest.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { everythingFiles, OPERATOR_CHANGES } from './everything-app.ts'

/** The app works without this secret, but then takes payments only in test mode. */
const LEFT_OUT_SECRETS = ['pay.stripeKey']

test('the test app that uses everything has every secret that a capability needs, except the optional live Stripe key', () => {
  const missing = CAPABILITY_KEYS.flatMap((key) => {
    const { settings = {}, secrets = {} } = OPERATOR_CHANGES.find((change) => change.key === key) ?? {}
    const declared = capabilityOf(key)
    return Object.entries(declared.secrets(declared.settings.parse(settings)))
      .filter(([name, { isOptional }]) => isOptional !== true && !Object.hasOwn(secrets, name))
      .map(([name]) => `${key}.${name}`)
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
