import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseBar } from './bar-choice.ts'

test('the status bar reports a lost connection first, then a missing model, then an outdated console', () => {
  const worst = { connection: 'offline', hasModel: false, isOutdated: true } as const
  assert.equal(chooseBar(worst), 'offline')
  assert.equal(chooseBar({ ...worst, connection: 'away' }), 'away')
  assert.equal(chooseBar({ ...worst, connection: 'online' }), 'noModel')
  assert.equal(chooseBar({ ...worst, connection: 'online', hasModel: true }), 'outdated')
  assert.equal(chooseBar({ connection: 'online', hasModel: null, isOutdated: false }), null)
})
