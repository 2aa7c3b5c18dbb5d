import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncateText } from './truncate-text.ts'

test('a truncated text never ends with half of a surrogate pair, which a URL cannot contain', () => {
  for (const [text, charsMax, start] of [
    ['plants', 10, 'plants'],
    ['plants', 6, 'plants'],
    ['plants', 3, 'pla'],
    ['ab🌱', 3, 'ab'],
    ['ab🌱', 4, 'ab🌱'],
    ['🌱🌱', 1, ''],
    ['ab\uD83C', 5, 'ab'],
    ['', 5, ''],
  ] as const) {
    assert.equal(truncateText(text, charsMax), start)
    assert.doesNotThrow(() => encodeURIComponent(truncateText(text, charsMax)))
  }
})
