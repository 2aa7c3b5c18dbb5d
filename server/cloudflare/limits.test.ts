import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Circuit, lineOf, Pace } from './limits.ts'

describe('the pace of one credential', () => {
  test('lets a burst leave at once, then one call after the other', () => {
    const pace = new Pace({ perMinute: 60, burst: 3 }, 0)
    const waits = Array.from({ length: 5 }, () => pace.reserve(0, 60_000))
    assert.deepEqual(waits, [0, 0, 0, 1000, 2000])
    // What stood in line has left by then, and what nobody used has come back.
    assert.equal(pace.reserve(3000, 60_000), 0)
    assert.equal(pace.reserve(60_000, 60_000), 0)
  })

  test('never saves up more than a burst', () => {
    const pace = new Pace({ perMinute: 60, burst: 2 }, 0)
    assert.deepEqual(
      [1, 2, 3].map(() => pace.reserve(3_600_000, 60_000)),
      [0, 0, 1000],
    )
  })

  test('gives no place to who would wait too long, and keeps it for others', () => {
    const pace = new Pace({ perMinute: 60, burst: 1 }, 0)
    assert.deepEqual([pace.reserve(0, 500), pace.reserve(0, 500), pace.reserve(0, 1000)], [0, null, 1000])
  })

  test('a pause is for all, and a shorter one does not end a longer one', () => {
    const pace = new Pace({ perMinute: 60, burst: 1 }, 0)
    pace.pause(0, 10)
    pace.pause(1000, 2)
    assert.deepEqual([pace.pausedMs(4000), pace.pausedMs(10_000)], [6000, 0])
  })

  test('is shared by all who use the credential, and GraphQL is counted apart', () => {
    assert.equal(lineOf('a'), lineOf('a'))
    assert.notEqual(lineOf('a'), lineOf('b'))
    const line = lineOf('a')
    assert.notEqual(line.pace('/graphql'), line.pace('/accounts'))
    assert.equal(line.pace('/user'), line.pace('/accounts'))
  })
})

describe('the circuit of one credential', () => {
  test('opens after five lost calls in half a minute, and again after one more', () => {
    const circuit = new Circuit()
    for (const at of [0, 1000, 2000, 3000]) circuit.failed(at)
    assert.equal(circuit.openMs(3000), 0)
    circuit.failed(4000)
    assert.equal(circuit.openMs(4000), 15_000)
    assert.equal(circuit.openMs(19_000), 0)
    circuit.failed(19_000)
    assert.equal(circuit.openMs(19_000), 15_000)
  })

  test('an answer, or failures far apart, keep it closed', () => {
    const circuit = new Circuit()
    for (const at of [0, 1, 2, 3]) circuit.failed(at)
    circuit.answered()
    circuit.failed(4)
    assert.equal(circuit.openMs(4), 0)
    const slow = new Circuit()
    for (let at = 0; at < 200_000; at += 8000) slow.failed(at)
    assert.equal(slow.openMs(200_000), 0)
  })
})
