import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { capabilitiesOf, capabilityBindings } from '../../../capabilities/catalog.ts'
import { sandboxBindings } from './stand-ins.ts'

describe('the bindings of a check', () => {
  const all = new Set<string>(CAPABILITY_KEYS)

  test("the app's worker of a check has every declared product that generated code uses", () => {
    const names = Object.keys(sandboxBindings(capabilityBindings(all, { slug: 'plants' }, 'production')))
    assert.deepEqual(names.toSorted(), ['BROWSER', 'EVENTS', 'FILES', 'FLOW'])
  })

  test('the live worker of a check has every declared product', () => {
    const declared = capabilitiesOf(all).flatMap(({ liveBindings }) => liveBindings)
    assert.deepEqual(Object.keys(sandboxBindings(declared)), ['AI', 'STREAM'])
  })

  test('two buckets are apart in a check', () => {
    const bucket = (name: string) => ({ type: 'r2_bucket' as const, name, bucket_name: `plants-${name}` })
    assert.deepEqual(sandboxBindings([bucket('FILES'), bucket('PHOTOS')]), {
      FILES: { type: 'r2', name: 'files' },
      PHOTOS: { type: 'r2', name: 'photos' },
    })
  })

  test('a binding of a type that a check does not know throws and names the type', () => {
    assert.throws(
      () => sandboxBindings([{ type: 'durable_object_namespace', name: 'X', class_name: 'Y' }]),
      /durable_object_namespace/,
    )
  })
})
