import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildFrame } from '../agent/frames.ts'
import { ReplyText } from './reply-text.ts'

const textDelta = (text: string): BuildFrame => ({ type: 'delta', text })

/** Reads the pieces of each model call. Returns the joined text that a reader received. */
function playCalls(reply: ReplyText, calls: string[][]): string {
  let received = ''
  for (const pieces of calls) {
    for (const piece of pieces) {
      const frame = reply.read(textDelta(piece))
      if (frame?.type === 'delta') received += frame.text ?? ''
    }
    reply.endStep()
  }
  return received
}

describe('the text of a reply', () => {
  test("the streamed text of a model's reply equals the stored text, however the model splits it into chunks", () => {
    const said = ['  I look at the tickets. \n', '\n\n', ' Two are left:\n\n- water 🌱\n- feed\n\n']
    for (let size = 1; size < 40; size++) {
      const reply = new ReplyText()
      const pieces = said.map((text) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
      const received = playCalls(reply, pieces)
      assert.equal(received, 'I look at the tickets.\n\nTwo are left:\n\n- water 🌱\n- feed')
      assert.equal(String(reply), received)
    }
  })

  test("a model's reply keeps the white space within the text of one model call and has a blank line between two calls", () => {
    const reply = new ReplyText()
    assert.equal(
      playCalls(reply, [
        ['a ', ' b'],
        ['c', '\n', 'd'],
      ]),
      'a  b\n\nc\nd',
    )
    assert.equal(String(reply), 'a  b\n\nc\nd')
  })

  test('when a model call fails, its text is dropped from the reply, and the retry frame contains the text that remains', () => {
    const reply = new ReplyText()
    playCalls(reply, [['First.']])
    reply.read(textDelta('Half a sen'))
    assert.deepEqual(reply.read({ type: 'retry', step: 2, waitMs: 5, reason: 'overloaded' }), {
      type: 'retry',
      waitMs: 5,
      reason: 'overloaded',
      text: 'First.',
    })
    assert.equal(playCalls(reply, [['Whole.']]), '\n\nWhole.')
    assert.equal(String(reply), 'First.\n\nWhole.')
  })

  test("reasoning frames of a model's reply are passed on; step frames and text frames with only white space are dropped", () => {
    const reply = new ReplyText()
    assert.deepEqual(reply.read({ type: 'delta', reasoning: 'hm' }), { type: 'delta', reasoning: 'hm' })
    assert.equal(reply.read(textDelta(' \n')), null)
    assert.equal(reply.read({ type: 'step', n: 1, limit: 20 }), null)
  })
})
