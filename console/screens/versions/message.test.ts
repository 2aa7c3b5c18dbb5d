import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMessage } from './message.ts'

describe('reading a commit message', () => {
  test('the subject of a version is the first line of its commit message, and trailers are left out', () => {
    const message =
      'Add pots\n\nSlipway-Ticket: tkt_1\nSlipway-Run: run_1\nSlipway-Model: scaffold/scaffold-1'
    assert.deepEqual(readMessage(message), { subject: 'Add pots', body: '' })
    assert.deepEqual(readMessage('Revert to 4f2c1ab: Add pots\n\nSlipway-Revert: 4f2c1ab'), {
      subject: 'Revert to 4f2c1ab: Add pots',
      body: '',
    })
  })

  test('the text under the subject of a version does not repeat the subject', () => {
    const message = 'Add pots\n\nAdd pots\n\nWith a colour.\n\nSlipway-Run: run_1'
    assert.deepEqual(readMessage(message), { subject: 'Add pots', body: 'With a colour.' })
  })

  test("when a commit message's body begins with its subject, only the rest of the body is shown", () => {
    const message = 'Add pots.\n\nAdd pots. They have a colour.\nAnd a list.\n\nSlipway-Run: run_1'
    assert.deepEqual(readMessage(message), {
      subject: 'Add pots.',
      body: 'They have a colour.\nAnd a list.',
    })
    assert.equal(readMessage('Add pot\n\nAdd pottery.').body, 'Add pottery.')
  })

  test('when the subject of a version is truncated, the body keeps its first sentence in full', () => {
    const message =
      'Add pots with a…\n\nAdd pots with a colour and a height.\nAnd a list.\n\nSlipway-Run: run_1'
    assert.deepEqual(readMessage(message), {
      subject: 'Add pots with a…',
      body: 'Add pots with a colour and a height.\nAnd a list.',
    })
  })

  test('an empty commit message has an empty subject and body', () => {
    assert.deepEqual(readMessage(''), { subject: '', body: '' })
  })
})
