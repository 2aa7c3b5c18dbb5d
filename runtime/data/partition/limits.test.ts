import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsOf } from './limits.ts'

test('the operator can set the data limits, and a missing or invalid limit becomes the default', () => {
  assert.deepEqual(limitsOf({ DATA_LOG_DAYS: '3', DATA_MAX_RECORD_KB: '1' }), { logDays: 3, recordKb: 1 })
  assert.deepEqual(limitsOf({}), { logDays: 7, recordKb: 128 })
  assert.deepEqual(limitsOf({ DATA_LOG_DAYS: '0', DATA_MAX_RECORD_KB: '1e9' }), { logDays: 7, recordKb: 128 })
})
