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
  test('in a one-sentence field, Enter and the button send the typed text', () => {
    const sent = renderSentenceBox('Add notes')
    pressEnter()
    press('Add ticket')
    assert.equal(sent.length, 2)
  })

  test('in a one-sentence field, Shift+Enter, and Enter of an input method, do not send the text', () => {
    const sent = renderSentenceBox('Add notes')
    pressEnter({ shiftKey: true })
    pressEnter({ isComposing: true })
    // In Safari the Enter that ends a composition follows `compositionend`.
    pressEnter({ keyCode: 229 })
    assert.deepEqual(sent, [])
  })

  test('a one-sentence field does not send a blank text', () => {
    const sent = renderSentenceBox('  \n ')
    pressEnter()
    press('Add ticket')
    assert.deepEqual(sent, [])
  })

  test('a one-sentence field has no maximum length, because a browser would silently cut off a long pasted text', () => {
    const long = 'x'.repeat(8001)
    const sent = renderSentenceBox(long)
    assert.equal(field('Describe a change').maxLength, -1)
    pressEnter()
    assert.deepEqual(sent, [long])
  })

  test('a one-sentence field does not send its text again while it is being sent', () => {
    const sent = renderSentenceBox('Add notes', true)
    pressEnter()
    assert.deepEqual(sent, [])
  })
})
