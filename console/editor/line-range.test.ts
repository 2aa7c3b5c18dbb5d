import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseLine, lineHash, readLineHash } from './line-range.ts'

describe('line ranges in a URL fragment', () => {
  test('a line or a range of lines is read from the URL fragment', () => {
    for (const hash of ['L12', 'L12-L20'])
      assert.equal(lineHash(readLineHash(`#${hash}`) ?? failOnRead()), hash)
    assert.deepEqual(readLineHash('L20-12'), { from: 12, to: 20 })
  })

  test('a URL fragment that is not a line or a range of lines, such as #top or #L0, selects no line', () => {
    for (const hash of ['', '#', '#top', 'L0', 'L-3', 'L1e9', 'L12-', 'XL12', 'L99999999'])
      assert.equal(readLineHash(hash), null, hash)
  })

  test('pressing a line number with Shift extends the range in either direction', () => {
    assert.deepEqual(chooseLine(null, 5, true), { from: 5, to: 5 })
    assert.deepEqual(chooseLine({ from: 5, to: 5 }, 9, true), { from: 5, to: 9 })
    assert.deepEqual(chooseLine({ from: 5, to: 9 }, 2, true), { from: 2, to: 5 })
    assert.deepEqual(chooseLine({ from: 5, to: 9 }, 7, false), { from: 7, to: 7 })
  })
})

function failOnRead(): never {
  throw new Error('no line was read')
}
