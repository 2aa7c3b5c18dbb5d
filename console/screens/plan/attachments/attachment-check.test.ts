import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkFiles, unreadableIn } from './attachment-check.ts'

const MIB = 1024 * 1024
const chosenFile = (name: string, type: string, size = 1000) => ({ name, type, size })
const noFiles = { count: 0, bytes: 0 }

describe('a file for the Plan agent', () => {
  test('a file for the AI planning agent is refused when its type is unsupported, it is empty or it is too large', () => {
    const { good, refused } = checkFiles(
      [
        chosenFile('plan.png', 'image/png'),
        chosenFile('plan.pdf', 'application/pdf', 8 * MIB),
        chosenFile('plan.svg', 'image/svg+xml'),
        chosenFile('unknown', ''),
        chosenFile('empty.gif', 'image/gif', 0),
        chosenFile('large.webp', 'image/webp', 8 * MIB + 1),
      ],
      noFiles,
    )
    assert.deepEqual(
      good.map(({ file: { name }, mediaType }) => [name, mediaType]),
      [
        ['plan.png', 'image/png'],
        ['plan.pdf', 'application/pdf'],
      ],
    )
    assert.deepEqual(
      refused.map(({ name, problem }) => [name, problem]),
      [
        ['plan.svg', 'type'],
        ['unknown', 'type'],
        ['empty.gif', 'empty'],
        ['large.webp', 'tooLarge'],
      ],
    )
  })

  test('the limits on the number and size of attached files count the files that the message already has', () => {
    const many = Array.from({ length: 5 }, (_, index) => chosenFile(`${index}.png`, 'image/png'))
    assert.equal(checkFiles(many, { count: 17, bytes: 0 }).good.length, 3)
    const large = [chosenFile('a.png', 'image/png', 7 * MIB), chosenFile('b.png', 'image/png', 1 * MIB)]
    const { good, refused } = checkFiles(large, { count: 4, bytes: 26 * MIB })
    assert.deepEqual(
      [good.map(({ file: { name } }) => name), refused],
      [['b.png'], [{ name: 'a.png', problem: 'tooMany' }]],
    )
  })

  test('the error message about a model says whether that model cannot read attached images, PDFs or both', () => {
    const images = unreadableIn('The model small-1 cannot read images.')
    assert.deepEqual([images('image/png'), images('application/pdf')], [true, false])
    const both = unreadableIn('The model small-1 cannot read images and PDFs.')
    assert.deepEqual([both('image/webp'), both('application/pdf')], [true, true])
  })
})
