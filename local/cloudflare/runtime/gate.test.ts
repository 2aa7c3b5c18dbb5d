import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate, HoldRefused } from './gate.ts'

test('an open gate lets everyone in and counts them', async () => {
  const gate = new Gate({ waiting: 1, holdMs: 1000 })
  await gate.enter()
  await gate.enter()
  assert.equal(gate.inside, 2)
  gate.leave()
  assert.equal(gate.inside, 1)
})

test('a closed gate holds, and lets in what waited when it opens', async () => {
  const gate = new Gate({ waiting: 2, holdMs: 1000 })
  gate.close()
  const entered = gate.enter()
  assert.equal(gate.inside, 0)
  gate.open()
  // Counted at once: a gate closed in the same turn must drain it.
  assert.equal(gate.inside, 1)
  await entered
})

test('draining waits for the last one inside, but not for ever', async () => {
  const gate = new Gate({ waiting: 1, holdMs: 1000 })
  await gate.enter()
  const drained = gate.drain(10_000)
  gate.leave()
  await drained
  await gate.enter()
  await gate.drain(5)
  assert.equal(gate.inside, 1)
})

test('too many waiting and too long a wait are refused', async () => {
  const gate = new Gate({ waiting: 1, holdMs: 5 })
  gate.close()
  const first = gate.enter()
  await assert.rejects(gate.enter(), HoldRefused)
  await assert.rejects(first, HoldRefused)
  gate.open()
  assert.equal(gate.inside, 0)
})
