import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { watchHidden } from './watch-hidden.ts'

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('a tab that is hidden', () => {
  test('a tab counts as hidden after 30 seconds without interruption, and nothing is called after the watch ended', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const calls: string[] = []
    const end = watchHidden({ onHidden: () => calls.push('hidden'), onShown: () => calls.push('shown') })
    setHidden(true)
    mock.timers.tick(29_000)
    setHidden(false)
    mock.timers.tick(29_000)
    assert.deepEqual(calls, ['shown'])
    setHidden(true)
    mock.timers.tick(30_000)
    assert.deepEqual(calls, ['shown', 'hidden'])
    setHidden(false)
    setHidden(true)
    end()
    mock.timers.tick(30_000)
    setHidden(false)
    assert.deepEqual(calls, ['shown', 'hidden', 'shown'])
    mock.timers.reset()
  })

  test('a tab that is hidden when the watch begins counts as hidden after 30 seconds, too', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const calls: string[] = []
    setHidden(true)
    const end = watchHidden({ onHidden: () => calls.push('hidden'), onShown: () => calls.push('shown') })
    mock.timers.tick(30_000)
    assert.deepEqual(calls, ['hidden'])
    setHidden(false)
    assert.deepEqual(calls, ['hidden', 'shown'])
    end()
    mock.timers.reset()
  })
})
