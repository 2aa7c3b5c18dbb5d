import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InFlightRequests, WaitRefused } from './in-flight.ts'

test('an open gate lets everyone in and counts them', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 1000 })
  await requests.enter()
  await requests.enter()
  assert.equal(requests.count, 2)
  requests.leave()
  assert.equal(requests.count, 1)
})

test('a closed gate holds, and lets in what waited when it opens', async () => {
  const requests = new InFlightRequests({ waiting: 2, holdMs: 1000 })
  requests.pause()
  const entered = requests.enter()
  assert.equal(requests.count, 0)
  requests.resume()
  // Counted at once: a gate closed in the same turn must drain it.
  assert.equal(requests.count, 1)
  await entered
})

test('draining waits for the last one inside, but not for ever', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 1000 })
  await requests.enter()
  const drained = requests.drain(10_000)
  requests.leave()
  await drained
  await requests.enter()
  await requests.drain(5)
  assert.equal(requests.count, 1)
})

test('too many waiting and too long a wait are refused', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 5 })
  requests.pause()
  const first = requests.enter()
  await assert.rejects(requests.enter(), WaitRefused)
  await assert.rejects(first, WaitRefused)
  requests.resume()
  assert.equal(requests.count, 0)
})
