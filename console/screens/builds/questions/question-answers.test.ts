import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '@slipway/sdk/frames.ts'
import { chosenFor, parseChosen, toAnswer, withOption, withOwn } from './question-answers.ts'

const singleChoice: Question = { id: 'q', question: 'Which?', options: ['A', 'B'], default: 'A' }
const multipleChoice: Question = { ...singleChoice, multiple: true }

describe('the answers to a model’s questions', () => {
  test('a question of a build is answered with its default until the user chooses an option', () => {
    assert.deepEqual(toAnswer(singleChoice, chosenFor({}, singleChoice)), { id: 'q', value: 'A' })
    assert.deepEqual(toAnswer(multipleChoice, chosenFor({}, multipleChoice)), { id: 'q', value: ['A'] })
  })

  test('the answer to a single-choice question has one option, and a multiple-choice answer can have several', () => {
    const start = chosenFor({}, singleChoice)
    assert.equal(toAnswer(singleChoice, withOption(start, singleChoice, 'B', true)).value, 'B')
    const both = withOption(start, multipleChoice, 'B', true)
    assert.deepEqual(toAnswer(multipleChoice, both).value, ['A', 'B'])
    assert.deepEqual(toAnswer(multipleChoice, withOption(both, multipleChoice, 'A', false)).value, ['B'])
  })

  test('a typed answer and a chosen option exclude each other only in a single-choice question', () => {
    const own = withOwn(chosenFor({}, singleChoice), singleChoice, ' Cacti ', true)
    assert.equal(toAnswer(singleChoice, own).value, 'Cacti')
    assert.equal(toAnswer(singleChoice, withOwn(own, singleChoice, '  ', true)).value, 'A')
    assert.equal(toAnswer(singleChoice, withOption(own, singleChoice, 'B', true)).value, 'B')
    assert.deepEqual(
      toAnswer(multipleChoice, withOwn(chosenFor({}, multipleChoice), multipleChoice, 'Cacti', true)).value,
      ['A', 'Cacti'],
    )
  })

  test("stored drafts of answers to a build's questions are restored, and drafts in an invalid format are ignored", () => {
    const chosen = { q: withOwn(chosenFor({}, singleChoice), singleChoice, 'Cacti', true) }
    assert.deepEqual(parseChosen(JSON.stringify(chosen)), chosen)
    for (const draft of ['', 'null', '7', '{"q":{"options":[1],"isOwn":true,"own":""}}', '{"q":null}'])
      assert.deepEqual(parseChosen(draft), {})
  })
})
