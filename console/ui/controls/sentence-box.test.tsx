import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent } from '@testing-library/react'
import { field, press, show } from '../../testing/console.tsx'
import { SentenceBox } from './sentence-box.tsx'

function renderSentenceBox(value: string, busy = false) {
  const sent: string[] = []
  show(
    <SentenceBox
      size="sm"
      label="Describe a change"
      placeholder=""
      submit="Add ticket"
      value={value}
      busy={busy}
      onChange={() => {}}
      onSubmit={() => sent.push(value)}
    />,
  )
  return sent
}
const pressEnter = (part: KeyboardEventInit = {}) =>
  fireEvent.keyDown(field('Describe a change'), { key: 'Enter', ...part })

describe('the box for a sentence', () => {
  test('Enter and the button send the sentence', () => {
    const sent = renderSentenceBox('Add notes')
    pressEnter()
    press('Add ticket')
    assert.equal(sent.length, 2)
  })

  test('Shift+Enter and Enter of an input method do not send the sentence', () => {
    const sent = renderSentenceBox('Add notes')
    pressEnter({ shiftKey: true })
    pressEnter({ isComposing: true })
    assert.deepEqual(sent, [])
  })

  test('a blank sentence is not sent', () => {
    const sent = renderSentenceBox('  \n ')
    pressEnter()
    press('Add ticket')
    assert.deepEqual(sent, [])
  })

  test('a sentence is not sent again while it is being sent', () => {
    const sent = renderSentenceBox('Add notes', true)
    pressEnter()
    assert.deepEqual(sent, [])
  })
})
