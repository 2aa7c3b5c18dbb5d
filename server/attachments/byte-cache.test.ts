import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ByteCache } from './byte-cache.ts'

const bytesOf = (sizeBytes: number) => Buffer.alloc(sizeBytes)

describe('the byte cache', () => {
  test('a full byte cache evicts the least recently used bytes', () => {
    const kept = new ByteCache(100)
    for (const name of ['a', 'b', 'c']) kept.keep(name, bytesOf(30))
    kept.get('a')
    kept.keep('d', bytesOf(30))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => kept.get(name) !== undefined),
      [true, false, true, true],
    )
  })

  test('caching the same bytes again counts them once, and bytes larger than the cache are not cached', () => {
    const kept = new ByteCache(100)
    for (let n = 0; n < 5; n++) kept.keep('a', bytesOf(60))
    kept.keep('b', bytesOf(40))
    assert.deepEqual([kept.get('a')?.byteLength, kept.get('b')?.byteLength], [60, 40])
    kept.keep('huge', bytesOf(101))
    assert.equal(kept.get('huge'), undefined)
    kept.keep('a', bytesOf(100))
    assert.equal(kept.get('a')?.byteLength, 100)
  })
})
