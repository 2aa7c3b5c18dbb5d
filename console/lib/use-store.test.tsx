import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act } from '@testing-library/react'
import { isShown, show } from '../testing/console.tsx'
import { createStore, useStore } from './store.ts'

describe('a component that follows a store', () => {
  test('a component shows the latest value of a store, even one that was set before it mounted', () => {
    const store = createStore('first')
    store.set('second')
    const Value = () => useStore(store)
    show(<Value />)
    assert.ok(isShown('second'))
    act(() => store.set('third'))
    assert.ok(isShown('third'))
  })

  test('a component renders again only when the part of the store that it reads changes', () => {
    const store = createStore({ a: 1, b: 1 })
    let renders = 0
    function Part() {
      renders++
      return useStore(store, ({ a }) => a)
    }
    show(<Part />)
    act(() => store.set({ a: 1, b: 2 }))
    assert.equal(renders, 1)
    act(() => store.set({ a: 2, b: 2 }))
    assert.equal(renders, 2)
  })

  test('a component unsubscribes from its store when it unmounts', () => {
    const store = createStore(0)
    let reads = 0
    const Part = () => useStore(store, (value) => (reads++, value))
    const { unmount } = show(<Part />)
    unmount()
    const before = reads
    store.set(1)
    assert.equal(reads, before)
  })
})
