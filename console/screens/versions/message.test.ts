import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMessage } from './message.ts'

describe('what a version says', () => {
  test('is its first line; what is for programs is left out', () => {
    const message =
      'Add pots\n\nSlipway-Ticket: tkt_1\nSlipway-Run: run_1\nSlipway-Model: scaffold/scaffold-1'
    assert.deepEqual(readMessage(message), { subject: 'Add pots', body: '' })
    assert.deepEqual(readMessage('Revert to 4f2c1ab: Add pots\n\nSlipway-Revert: 4f2c1ab'), {
      subject: 'Revert to 4f2c1ab: Add pots',
      body: '',
    })
  })

  test('keeps a body of several parts, without what the first line said', () => {
    const message = 'Add pots\n\nAdd pots\n\nWith a colour.\n\nSlipway-Run: run_1'
    assert.deepEqual(readMessage(message), { subject: 'Add pots', body: 'With a colour.' })
  })

  test('a first line that was cut is shown whole, and once', () => {
    const message =
      'Add pots with a…\n\nAdd pots with a colour and a height.\nAnd a list.\n\nSlipway-Run: run_1'
    assert.deepEqual(readMessage(message), {
      subject: 'Add pots with a colour and a height.',
      body: 'And a list.',
    })
  })

  test('a message of nothing has nothing', () => {
    assert.deepEqual(readMessage(''), { subject: '', body: '' })
  })
})
