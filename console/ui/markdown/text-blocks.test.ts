import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blocksOf } from './text-blocks.ts'

const LINE = `${'word '.repeat(40)}\n\n`
const LONG_TEXT = LINE.repeat(100)

describe('blocks of a text', () => {
  test('a short Markdown text is one block, and an empty text is one empty block', () => {
    assert.deepEqual(blocksOf('one\n\ntwo'), ['one\n\ntwo'])
    assert.deepEqual(blocksOf(''), [''])
  })

  test('the blocks of a Markdown text concatenate to the text, and all but the last end with a line break', () => {
    const blocks = blocksOf(`${LONG_TEXT}and the rest`)
    assert.equal(blocks.join(''), `${LONG_TEXT}and the rest`)
    assert.ok(blocks.length > 5)
    assert.deepEqual(
      blocks.slice(0, -1).filter((block) => !block.endsWith('\n')),
      [],
    )
  })

  test('while a Markdown text grows, only its last block changes', () => {
    for (let length = 0; length < LONG_TEXT.length; length += 97) {
      const before = blocksOf(LONG_TEXT.slice(0, length)).slice(0, -1)
      assert.deepEqual(blocksOf(LONG_TEXT.slice(0, length + 97)).slice(0, before.length), before)
    }
  })

  test('a long Markdown text without line breaks stays one block', () => {
    assert.deepEqual(blocksOf('word '.repeat(2000)), ['word '.repeat(2000)])
  })
})
