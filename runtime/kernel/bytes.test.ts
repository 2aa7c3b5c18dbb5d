import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { fromBase64Url, joinBytes, toBase64Url } from './bytes.ts'

const someBytes = fc.uint8Array({ maxLength: 100 })

describe('bytes', () => {
  test('encoding bytes as base64url, or as base64 with padding, and decoding them returns the same bytes', () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        assert.deepEqual(fromBase64Url(toBase64Url(bytes)), Uint8Array.from(bytes))
        assert.deepEqual(fromBase64Url(btoa(String.fromCharCode(...bytes))), Uint8Array.from(bytes))
      }),
    )
  })

  test('the ArrayBuffer of joined and of decoded bytes contains these bytes only', () => {
    const bytes = Uint8Array.of(1, 2, 3)
    const made = [joinBytes(bytes.subarray(0, 1), bytes.subarray(1)), fromBase64Url(toBase64Url(bytes))]
    for (const { buffer } of made) {
      assert.equal(buffer.byteLength, bytes.length)
      assert.deepEqual(new Uint8Array(buffer), bytes)
    }
  })
})
