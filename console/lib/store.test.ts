import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createStore } from './store.ts'

describe('a store', () => {
  test('a store returns its latest value, even inside a subscriber', () => {
    const store = createStore(0)
    const seen: number[] = []
    store.subscribe(() => seen.push(store.get()))
    store.set(1)
    store.set(2)
    assert.deepEqual(seen, [1, 2])
    assert.equal(store.get(), 2)
  })

  test('setting a store to the same value calls no subscriber', () => {
    const store = createStore<readonly string[]>(['a'])
    let calls = 0
    store.subscribe(() => calls++)
    store.set(store.get())
    assert.equal(calls, 0)
    store.set(['a'])
    assert.equal(calls, 1)
  })

  test('after one subscriber unsubscribed, only the other subscribers are called', () => {
    const store = createStore(0)
    const calls: string[] = []
    const stop = store.subscribe(() => calls.push('first'))
    store.subscribe(() => calls.push('second'))
    store.set(1)
    stop()
    store.set(2)
    assert.deepEqual(calls, ['first', 'second', 'second'])
  })

  test('a subscriber of a store may unsubscribe while it is called', () => {
    const store = createStore(0)
    let calls = 0
    const stop = store.subscribe(() => {
      calls++
      stop()
    })
    store.set(1)
    store.set(2)
    assert.equal(calls, 1)
  })
})
