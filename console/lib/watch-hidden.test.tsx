import assert from 'node:assert/strict'
import { afterEach, describe, mock, test } from 'node:test'
import { watchHidden } from './watch-hidden.ts'

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('a tab that is hidden', () => {
  // Other test files of this process mock the getter that the property hides.
  afterEach(() => void Reflect.deleteProperty(document, 'hidden'))

  test('a browser tab counts as hidden after 30 hidden seconds without a break, and a stopped watcher calls no callback', () => {
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

  test('a browser tab that is already hidden when the watcher starts counts as hidden after 30 seconds', () => {
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
