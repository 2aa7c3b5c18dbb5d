import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Failure } from '../../api/request/failures.ts'
import { shownMs, ToastStore } from './toast-store.ts'

const doneToast = (words: string, undo: (() => void) | null = null) => ({
  words,
  failure: null,
  action: undo && { label: 'Undo', run: undo },
  tone: 'done' as const,
})
const failedToast = (words: string, requestId: string) => ({
  words,
  failure: { code: 'conflict', requestId } as Failure,
  action: null,
  tone: 'attention' as const,
})
const wordsIn = (store: ToastStore) => store.get().map((toast) => toast.words)

describe('the toast messages', () => {
  test('a success toast is shown for four seconds, one with Undo for eight, and a failure until it is dismissed', () => {
    const store = new ToastStore()
    store.add(doneToast('Saved'))
    store.add(doneToast('Moved', () => {}))
    store.add(failedToast('Refused', 'req-1'))
    assert.deepEqual(store.get().map(shownMs), [4000, 8000, null])
  })

  test('equal failures of several requests are shown as one toast with the newest request id', () => {
    const store = new ToastStore()
    store.add(failedToast('Refused', 'req-1'))
    store.add(doneToast('Saved'))
    store.add(failedToast('Refused', 'req-2'))
    assert.deepEqual(wordsIn(store), ['Saved', 'Refused'])
    assert.equal(store.get()[1]?.failure?.requestId, 'req-2')
  })

  test('a repeated action shows its success toast again', () => {
    const store = new ToastStore()
    store.add(doneToast('Saved'))
    store.add(doneToast('Saved'))
    assert.deepEqual(wordsIn(store), ['Saved', 'Saved'])
  })

  test('at most four toast messages are shown, and the oldest is removed first', () => {
    const store = new ToastStore()
    for (const name of ['1', '2', '3', '4', '5']) store.add(doneToast(name))
    assert.deepEqual(wordsIn(store), ['2', '3', '4', '5'])
  })

  test('a subscriber to the toast messages is called for each change until it unsubscribes', () => {
    const store = new ToastStore()
    let heard = 0
    const stop = store.subscribe(() => heard++)
    store.add(doneToast('Saved'))
    store.dismiss(store.get()[0]?.id ?? 0)
    stop()
    store.add(doneToast('Saved again'))
    assert.equal(heard, 2)
  })
})
