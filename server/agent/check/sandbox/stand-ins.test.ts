import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { capabilitiesOf, capabilityBindings, capabilityOf } from '../../../capability-catalog/catalog.ts'
import type { Binding } from '../../../cloudflare/products/upload.ts'
import { placeholderSecrets, sandboxBindings, standInsFor } from './stand-ins.ts'

describe('the bindings of a check', () => {
  const all = new Set<string>(CAPABILITY_KEYS)
  /**
   * False for the bindings that `sandboxBindings` leaves out: `workersOf` adds Durable Objects and queues, and a check serves no images or
   * uploaded assets.
   */
  const isProduct = ({ type }: Binding) => !['service', 'queue', 'images'].includes(type)

  test("in a check, an app's worker has a binding for every Cloudflare product that its capabilities declare", () => {
    const declared = capabilityBindings(all, { slug: 'plants' }, 'production')
    const products = declared.filter(isProduct).map(({ name }) => name)
    assert.ok(products.length >= 4)
    assert.deepEqual(Object.keys(sandboxBindings(declared)), products)
  })

  test("in a check, the worker with an app's Durable Objects has every binding that its capabilities declare", () => {
    const declared = capabilitiesOf(all).flatMap(({ liveBindings }) => liveBindings)
    assert.ok(declared.length >= 2)
    const products = declared.map(({ name }) => name)
    assert.deepEqual(Object.keys(sandboxBindings(declared)), products)
  })

  const liveSecrets = (key: string) =>
    Object.assign(
      {},
      placeholderSecrets([key]),
      ...standInsFor([key]).map(({ live }) => live?.([])),
    ) as object

  test('in a check, every capability that needs secrets from the operator has a value for at least one secret', () => {
    for (const key of CAPABILITY_KEYS) {
      const { settings, secrets } = capabilityOf(key)
      const needed = Object.values(secrets(settings.parse({}))).filter(
        ({ isOptional }) => isOptional !== true,
      )
      assert.ok(needed.length === 0 || needed.some(({ binding }) => binding in liveSecrets(key)), key)
    }
  })

  test("in a check, payments have only the stand-in's test key, because a live key would replace it", () => {
    assert.deepEqual(placeholderSecrets(['pay']), {})
    assert.deepEqual(
      Object.keys(liveSecrets('pay')).filter((name) => name.includes('LIVE')),
      [],
    )
  })

  /** These capabilities work without secrets: `auth` mails the codes, and calls run directly between the browsers. */
  const WITHOUT_GENERATED_SECRETS = ['auth', 'call']

  test('in a check, every generated secret that a capability needs has a value', () => {
    const without = CAPABILITY_KEYS.filter((key) => {
      const bindings = Object.values(capabilityOf(key).generated).map(({ binding }) => binding)
      return bindings.length > 0 && !bindings.some((binding) => binding in liveSecrets(key))
    })
    assert.deepEqual(without, WITHOUT_GENERATED_SECRETS)
  })

  test('two R2 buckets of an app stay separate in a check', () => {
    const bucket = (name: string) => ({ type: 'r2_bucket' as const, name, bucket_name: `plants-${name}` })
    assert.deepEqual(sandboxBindings([bucket('FILES'), bucket('PHOTOS')]), {
      FILES: { type: 'r2', name: 'files' },
      PHOTOS: { type: 'r2', name: 'photos' },
    })
  })

  test('a binding of a type that a check does not emulate throws an error that names the type', () => {
    assert.throws(
      () => sandboxBindings([{ type: 'durable_object_namespace', name: 'X', class_name: 'Y' }]),
      /durable_object_namespace/,
    )
  })
})
