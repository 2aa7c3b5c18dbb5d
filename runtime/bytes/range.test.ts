import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseRange, resolveRange } from './range.ts'

describe('byte ranges', () => {
  const of = (header: string | null, sizeBytes = 10) => {
    const range = parseRange(header)
    return range === null ? null : resolveRange(range, sizeBytes)
  }

  test("a byte range is cut to the object's size", () => {
    assert.deepEqual(of('bytes=0-0'), { offset: 0, length: 1 })
    assert.deepEqual(of('bytes=2-5'), { offset: 2, length: 4 })
    assert.deepEqual(of('bytes=2-'), { offset: 2, length: 8 })
    assert.deepEqual(of('bytes=8-99999'), { offset: 8, length: 2 })
    assert.deepEqual(of('bytes=-3'), { offset: 7, length: 3 })
    assert.deepEqual(of('bytes=-99'), { offset: 0, length: 10 })
  })

  test('a byte range beyond the end of an object, or of an empty object, selects nothing', () => {
    for (const header of ['bytes=10-', 'bytes=11-12', 'bytes=-0']) {
      assert.notEqual(parseRange(header), null, header)
      assert.equal(of(header), null, header)
    }
    assert.equal(of('bytes=0-', 0), null)
    assert.equal(of('bytes=-5', 0), null)
  })

  test('a missing, multiple, backwards or non-byte Range header is ignored', () => {
    for (const header of [
      null,
      '',
      'bytes=',
      'bytes=-',
      'bytes=5-2',
      'bytes=0-1,3-4',
      'items=0-1',
      'bytes=a-b',
    ])
      assert.equal(parseRange(header), null, String(header))
  })
})
