import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '../../agent/frames.ts'
import type { ModelStep, ToolRecord } from '../../agent/loop/transcript.ts'
import { NO_USAGE } from '../../agent/model/usage.ts'
import { answerStep, completeAnswers } from './open-run.ts'

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  question: `${id}?`,
  options: ['a', 'b'],
  default: 'a',
  ...more,
})
const QUESTIONS = [question('colour'), question('sizes', { multiple: true, default: 'b' })]

describe('the answers to the questions of a build', () => {
  test("every question of a build gets the user's answer or the question's default, in the order of the questions", () => {
    const given = [
      { id: 'sizes', value: ['a', 'b'] },
      { id: 'colour', value: 'red' },
    ]
    assert.deepEqual(completeAnswers(QUESTIONS, given), [
      { id: 'colour', value: 'red', isDefault: false },
      { id: 'sizes', value: ['a', 'b'], isDefault: false },
    ])
    assert.deepEqual(completeAnswers(QUESTIONS, []), [
      { id: 'colour', value: 'a', isDefault: true },
      { id: 'sizes', value: 'b', isDefault: true },
    ])
  })

  test('an answer to an unknown question of a build, or with several values where one is allowed, is refused', () => {
    assert.throws(() => completeAnswers(QUESTIONS, [{ id: 'other', value: 'x' }]), {
      code: 'invalid_request',
      message: 'answers: there is no open question "other"',
    })
    assert.throws(() => completeAnswers(QUESTIONS, [{ id: 'colour', value: ['a'] }]), {
      message: 'answers: "colour" takes one value',
    })
  })
})

describe('the step of a build with the answers to its questions', () => {
  const call = (id: string, name = 'ask_user') => ({ id, name, args: {}, problem: null })
  const asked: ToolRecord = {
    id: 'c1',
    name: 'ask_user',
    ok: true,
    text: 'The questions were put to the user.',
    code: null,
    signature: null,
    end: { kind: 'ask', questions: QUESTIONS },
  }
  const step: ModelStep = {
    n: 1,
    before: [],
    message: { role: 'assistant', content: '' },
    calls: [call('c0', 'read_file'), call('c1'), call('c2', 'write_file')],
    results: [{ ...asked, id: 'c0', name: 'read_file', text: 'text', end: null }, asked],
    usage: NO_USAGE,
  }
  const answersText = (...given: Parameters<typeof completeAnswers>[1]) =>
    answerStep(step, completeAnswers(QUESTIONS, given), []).results[1]?.text

  test("the user's answers become the result of the asking tool call, and the step's later calls are marked as not run", () => {
    const answers = completeAnswers(QUESTIONS, [{ id: 'sizes', value: ['a', 'b'] }])
    assert.deepEqual(answerStep(step, answers, []), {
      ...step,
      results: [
        step.results[0],
        {
          ...asked,
          text: 'The user answered:\ncolour: a (not answered, default taken)\nsizes: a, b',
          end: null,
        },
        {
          id: 'c2',
          name: 'write_file',
          ok: false,
          text: 'interrupted: the run ended with your question before this call; make it again if you still need it',
          code: 'interrupted',
          signature: null,
          end: null,
        },
      ],
    })
  })

  test('the result of a question to the user tells the model whether the user answered', () => {
    assert.match(
      answersText() ?? '',
      /^The user gave no answers:\ncolour: a \(not answered, default taken\)\n/,
    )
    assert.equal(
      answersText({ id: 'colour', value: 'a' }, { id: 'sizes', value: [] }),
      'The user answered:\ncolour: a\nsizes: ',
    )
  })

  test('preview errors reported after a build asked its questions are passed to the model, following the answers', () => {
    const { results } = answerStep(step, completeAnswers(QUESTIONS, []), [{ message: 'broken' }])
    assert.match(
      results[1]?.text ?? '',
      /\n\nThe preview reported these errors, the newest first:\n- broken$/,
    )
    assert.equal(results[0]?.text, 'text')
  })
})
