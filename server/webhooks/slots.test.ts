import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Slots } from './slots.ts'

const repeatTimes = (n: number, act: (i: number) => void) => {
  for (let i = 0; i < n; i++) act(i)
}

describe('delivery slots', () => {
  test('a webhook endpoint starts with one delivery slot, gains one per success up to eight, and falls back to one after a failure', () => {
    const slots = new Slots()
    assert.deepEqual(slots.budget(), { known: {}, others: 1 })
    const allowedSlots = () => slots.budget().known['a']
    slots.take('a')
    assert.equal(allowedSlots(), 0)
    for (const expected of [2, 3, 4, 5, 6, 7, 8, 8]) {
      slots.release('a', true)
      assert.equal(allowedSlots(), expected)
      slots.take('a')
    }
    repeatTimes(7, () => slots.take('a'))
    assert.equal(allowedSlots(), 0)
    slots.release('a', false)
    assert.equal(allowedSlots(), 0)
    repeatTimes(7, () => slots.release('a', false))
    assert.equal(allowedSlots(), 1)
  })

  test('webhook endpoints that hang take at most half of all delivery slots', () => {
    const slots = new Slots()
    slots.take('good')
    slots.release('good', true)
    let hanging = 0
    while (slots.budget().others > 0) slots.take(`hangs-${hanging++}`)
    assert.equal(hanging, 128)
    assert.equal(slots.free, 128)
    assert.equal(slots.budget().known['good'], 2)
    slots.take('good')
    slots.release('good', false)
    assert.equal(slots.budget().known['good'], 0, 'it has to wait with the others now')
    slots.release('hangs-0', false)
    assert.equal(slots.budget().others, 1)
  })

  test('the webhook slot budget lists busy and recent endpoints, and every known one while endpoints without a success get no slot', () => {
    const slots = new Slots()
    slots.take('busy')
    repeatTimes(5000, (i) => {
      slots.take(`e${i}`)
      slots.release(`e${i}`, true)
    })
    const { known } = slots.budget()
    assert.equal(Object.keys(known).length, 65, 'the busy one and the last touched')
    assert.equal(known['busy'], 0, 'never forgotten while a delivery is under way')
    assert.equal(known['e4999'], 2)
    repeatTimes(128, (i) => slots.take(`hangs-${i}`))
    const pressed = slots.budget()
    assert.equal(pressed.others, 0)
    assert.equal(pressed.known['e4300'], 2, 'an endpoint with a success keeps its slots')
    repeatTimes(128, (i) => slots.release(`hangs-${i}`, false))
    assert.equal(slots.free, 255)
  })
})
