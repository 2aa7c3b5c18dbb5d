import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { OneTimeValues } from './one-time.ts'

const VALUE = {
  purpose: 'reset',
  subject: 'ada',
  hash: 'right',
  payload: 'ada@example.test',
  ttlMs: 1000,
} as const

function makeValues() {
  const values = new OneTimeValues(memoryStorage())
  values.issue(VALUE, 0)
  const redeem = (change: object = {}, nowMs = 1) => values.redeem({ ...VALUE, ...change }, nowMs)
  return { values, redeem }
}

describe('a one-time value', () => {
  test('a one-time code works once, before it expires, and only for its own purpose and person', () => {
    const { redeem } = makeValues()
    for (const change of [{ hash: 'wrong' }, { purpose: 'verify' }, { subject: 'bob' }])
      assert.equal(redeem(change), null)
    assert.equal(redeem(), 'ada@example.test')
    assert.equal(redeem(), null)
    assert.equal(makeValues().redeem({}, 1001), null)
  })

  test('a one-time code becomes invalid after five wrong guesses', () => {
    const { redeem } = makeValues()
    for (let n = 0; n < 5; n++) assert.equal(redeem({ hash: 'wrong' }), null)
    assert.equal(redeem(), null)
  })

  test("a newer one-time code replaces an older one, and becomes invalid when the person's codes are removed", () => {
    const { values, redeem } = makeValues()
    values.issue({ ...VALUE, hash: 'newer' }, 1)
    assert.equal(redeem(), null)
    values.forget('ada@example.test')
    assert.equal(redeem({ hash: 'newer' }), null)
  })
})
