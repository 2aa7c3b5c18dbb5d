import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '@slipway/sdk/frames.ts'
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { field, show, write } from '../../../testing/console.tsx'
import { type ChosenAnswer, chosenFor, toAnswer } from './question-answers.ts'
import { QuestionField } from './question-field.tsx'

const question: Question = {
  id: 'q_1',
  question: 'Who may read the notes?',
  options: ['Everyone', 'Only the owner'],
  default: 'Only the owner',
  multiple: false,
}

/** Renders the field in a form. The returned function reads the answer that the form would send. */
function renderQuestionField(asked: Question) {
  let answer: unknown
  function Form() {
    const [chosen, setChosen] = useState<ChosenAnswer>(() => chosenFor({}, asked))
    answer = toAnswer(asked, chosen).value
    return <QuestionField question={asked} chosen={chosen} onChange={setChosen} />
  }
  show(<Form />)
  return () => answer
}
const chooseOption = (name: string | RegExp) => fireEvent.click(field(name))

describe('a question of the model', () => {
  test('the form field of a question starts with the default answer of the question', () => {
    const answer = renderQuestionField(question)
    assert.equal(field(/Only the owner/).checked, true)
    assert.ok(screen.getByRole('group', { name: 'Who may read the notes?' }))
    assert.equal(answer(), 'Only the owner')
  })

  test('choosing an option of a single-choice question replaces the other option', () => {
    const answer = renderQuestionField(question)
    chooseOption('Everyone')
    assert.equal(field(/Only the owner/).checked, false)
    assert.equal(answer(), 'Everyone')
  })

  test('several options of a multiple-choice question can be chosen', () => {
    const answer = renderQuestionField({ ...question, multiple: true })
    chooseOption('Everyone')
    assert.deepEqual(answer(), ['Only the owner', 'Everyone'])
  })

  test('an answer typed by the user replaces the options of a single-choice question', () => {
    const answer = renderQuestionField(question)
    assert.ok(screen.queryByPlaceholderText('In your own words') === null)
    chooseOption('Something else')
    write(/Your own answer to/, 'Only my team')
    assert.equal(answer(), 'Only my team')
  })

  test('a question gets its default answer when the user chooses to type an answer but leaves the field empty', () => {
    const answer = renderQuestionField(question)
    chooseOption('Something else')
    assert.equal(answer(), 'Only the owner')
  })
})
