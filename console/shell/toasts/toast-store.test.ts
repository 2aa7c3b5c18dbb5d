import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Failure } from '../../api/request/failures.ts'
import { shownMs, ToastStore } from './toast-store.ts'

const done = (words: string, undo: (() => void) | null = null) => ({
  words,
  failure: null,
  action: undo && { label: 'Undo', run: undo },
  tone: 'done' as const,
})
const failed = (words: string, requestId: string) => ({
  words,
  failure: { code: 'conflict', requestId } as Failure,
  action: null,
  tone: 'attention' as const,
})
const words = (store: ToastStore) => store.get().map((toast) => toast.words)

describe('messages', () => {
  test('a success message is shown for four seconds, one with Undo for eight, and a failure until it is dismissed', () => {
    const store = new ToastStore()
    store.add(done('Saved'))
    store.add(done('Moved', () => {}))
    store.add(failed('Refused', 'req-1'))
    assert.deepEqual(store.get().map(shownMs), [4000, 8000, null])
  })

  test('the same failure of several calls is one message with the newest request id', () => {
    const store = new ToastStore()
    store.add(failed('Refused', 'req-1'))
    store.add(done('Saved'))
    store.add(failed('Refused', 'req-2'))
    assert.deepEqual(words(store), ['Saved', 'Refused'])
    assert.equal(store.get()[1]?.failure?.requestId, 'req-2')
  })

  test('the same success message is shown again for a repeated action', () => {
    const store = new ToastStore()
    store.add(done('Saved'))
    store.add(done('Saved'))
    assert.deepEqual(words(store), ['Saved', 'Saved'])
  })

  test('at most four messages are shown, and the oldest is removed first', () => {
    const store = new ToastStore()
    for (const name of ['1', '2', '3', '4', '5']) store.add(done(name))
    assert.deepEqual(words(store), ['2', '3', '4', '5'])
  })

  test('a subscriber of the messages is called for each change until it unsubscribes', () => {
    const store = new ToastStore()
    let heard = 0
    const stop = store.subscribe(() => heard++)
    store.add(done('Saved'))
    store.dismiss(store.get()[0]?.id ?? 0)
    stop()
    store.add(done('Saved again'))
    assert.equal(heard, 2)
  })
})
