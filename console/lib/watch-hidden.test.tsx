import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { watchHidden } from './watch-hidden.ts'

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('a tab that is hidden', () => {
  test('only 30 seconds without a look at it count, and no call follows the end of the watch', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const calls: string[] = []
    const end = watchHidden({ onHidden: () => calls.push('hidden'), onShown: () => calls.push('shown') })
    hide(true)
    mock.timers.tick(29_000)
    hide(false)
    mock.timers.tick(29_000)
    assert.deepEqual(calls, ['shown'])
    hide(true)
    mock.timers.tick(30_000)
    assert.deepEqual(calls, ['shown', 'hidden'])
    hide(false)
    hide(true)
    end()
    mock.timers.tick(30_000)
    hide(false)
    assert.deepEqual(calls, ['shown', 'hidden', 'shown'])
    mock.timers.reset()
  })
})
