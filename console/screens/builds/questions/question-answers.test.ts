import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '@slipway/sdk/frames.ts'
import { chosenFor, parseChosen, toAnswer, withOption, withOwn } from './question-answers.ts'

const one: Question = { id: 'q', question: 'Which?', options: ['A', 'B'], default: 'A' }
const many: Question = { ...one, multiple: true }

describe('the answers to a model’s questions', () => {
  test('the answer to a question of a build is its default until the person chooses an option', () => {
    assert.deepEqual(toAnswer(one, chosenFor({}, one)), { id: 'q', value: 'A' })
    assert.deepEqual(toAnswer(many, chosenFor({}, many)), { id: 'q', value: ['A'] })
  })

  test('an answer to a build holds one option, or several when the question allows it', () => {
    const start = chosenFor({}, one)
    assert.equal(toAnswer(one, withOption(start, one, 'B', true)).value, 'B')
    const both = withOption(start, many, 'B', true)
    assert.deepEqual(toAnswer(many, both).value, ['A', 'B'])
    assert.deepEqual(toAnswer(many, withOption(both, many, 'A', false)).value, ['B'])
  })

  test("the person's own answer replaces the chosen option, and choosing an option replaces the own answer", () => {
    const own = withOwn(chosenFor({}, one), one, ' Cacti ', true)
    assert.equal(toAnswer(one, own).value, 'Cacti')
    assert.equal(toAnswer(one, withOwn(own, one, '  ', true)).value, 'A')
    assert.equal(toAnswer(one, withOption(own, one, 'B', true)).value, 'B')
    assert.deepEqual(toAnswer(many, withOwn(chosenFor({}, many), many, 'Cacti', true)).value, ['A', 'Cacti'])
  })

  test('stored answers to a build are restored, and stored values of another shape are ignored', () => {
    const chosen = { q: withOwn(chosenFor({}, one), one, 'Cacti', true) }
    assert.deepEqual(parseChosen(JSON.stringify(chosen)), chosen)
    for (const draft of ['', 'null', '7', '{"q":{"options":[1],"isOwn":true,"own":""}}', '{"q":null}'])
      assert.deepEqual(parseChosen(draft), {})
  })
})
