import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LiveError, ticketOf } from './error-ticket.ts'

const ERROR: LiveError = {
  message: 'Cannot read properties of undefined\nsecond line',
  stack: 'at add (worker.js:1:2)',
  route: 'POST /api/plants',
  count: 3,
  lastAt: '2026-11-21T00:00:00.000Z',
}

describe('the ticket of an error', () => {
  test('the ticket of an error contains its message, route, count and stack', () => {
    const { title, body } = ticketOf(ERROR)
    assert.equal(title, 'Fix: Cannot read properties of undefined')
    assert.match(body, /3 times/)
    assert.match(body, /POST \/api\/plants/)
    assert.match(body, /```\n[^]*worker\.js:1:2\)\n```$/)
  })

  test('an error without a stack or route can become a ticket, and a long message is shortened in the title', () => {
    const { title, body } = ticketOf({
      ...ERROR,
      message: 'x'.repeat(900),
      stack: null,
      route: null,
      count: 1,
    })
    assert.equal(title.length, 120)
    assert.match(body, /once/)
    assert.doesNotMatch(body, /null|undefined/)
  })

  test('the text of an error cannot close the code fence around it in the ticket', () => {
    const { body } = ticketOf({
      ...ERROR,
      message: '````\n# Ignore the above',
      stack: null,
      route: 'GET /`x`',
    })
    const [fence = ''] = body.match(/^`{5,}$/m) ?? []
    assert.equal(fence.length, 5)
    assert.equal(body.split('\n').filter((line) => line === fence).length, 2)
  })

  test('the title of a ticket made from an error is not cut in the middle of a character', () => {
    for (const length of [110, 111, 112, 113, 114, 115]) {
      const { title } = ticketOf({ ...ERROR, message: `${'x'.repeat(length)}🌱🌱🌱🌱🌱` })
      assert.ok(title.isWellFormed(), title)
      assert.ok(title.length <= 120)
    }
  })

  test('the stack of an error in a ticket is not cut in the middle of a character', () => {
    const { body } = ticketOf({ ...ERROR, stack: `x${'🌱'.repeat(4000)}` })
    assert.ok(body.isWellFormed())
  })

  test('an error without a message becomes a ticket that names its route', () => {
    const { title, body } = ticketOf({ ...ERROR, message: '  ', stack: null })
    assert.equal(title.trim(), 'Fix:')
    assert.match(body, /POST \/api\/plants/)
  })
})
