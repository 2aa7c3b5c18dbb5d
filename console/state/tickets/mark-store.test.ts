import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MarkStore } from './mark-store.ts'

describe('selecting tickets', () => {
  test('tickets are selected and deselected one by one', () => {
    const store = new MarkStore()
    store.toggle('a')
    store.toggle('b')
    store.toggle('a')
    assert.deepEqual([...store.marked()], ['b'])
    store.clear()
    assert.equal(store.marked().size, 0)
  })

  test('selecting a range from the cursor back to an earlier ticket keeps the other selected tickets selected', () => {
    const store = new MarkStore()
    const order = ['a', 'b', 'c', 'd', 'e']
    store.toggle('e')
    store.moveTo('c')
    store.extendTo('a', order)
    assert.deepEqual([...store.marked()].toSorted(), ['a', 'b', 'c', 'e'])
    assert.equal(store.cursor(), 'a')
  })

  test('when the first ticket of a range no longer exists, only the last ticket of the range is selected', () => {
    const store = new MarkStore()
    store.moveTo('gone')
    store.extendTo('b', ['a', 'b'])
    assert.deepEqual([...store.marked()], ['b'])
  })

  test('a subscriber is called once for each move of the ticket cursor until it unsubscribes', () => {
    const store = new MarkStore()
    let heard = 0
    const stop = store.subscribe(() => void heard++)
    store.moveTo('a')
    store.moveTo('a')
    assert.equal(heard, 1)
    stop()
    store.clear()
    assert.equal(heard, 1)
  })
})
