import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InFlightRequests } from './in-flight.ts'
import { WaitRefusedError } from '../workerd/groups.ts'

test('a request to an app process proceeds immediately, and is counted, while requests are not paused', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 1000 })
  await requests.enter()
  await requests.enter()
  assert.equal(requests.count, 2)
  requests.leave()
  assert.equal(requests.count, 1)
})

test('a request to an app process waits while requests are paused, and proceeds after they are resumed', async () => {
  const requests = new InFlightRequests({ waiting: 2, holdMs: 1000 })
  requests.pause()
  const entered = requests.enter()
  assert.equal(requests.count, 0)
  requests.resume()
  // `resume` counts the request before `enter` resolves, so that a `drain` called right after `resume` waits
  // for it.
  assert.equal(requests.count, 1)
  await entered
})

test('draining requests resolves when the last running request has ended, or after its time limit', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 1000 })
  await requests.enter()
  const drained = requests.drain(10_000)
  requests.leave()
  await drained
  await requests.enter()
  await requests.drain(5)
  assert.equal(requests.count, 1)
})

test('a request to a paused app process is refused when too many others wait or when it has waited too long', async () => {
  const requests = new InFlightRequests({ waiting: 1, holdMs: 5 })
  requests.pause()
  const first = requests.enter()
  await assert.rejects(requests.enter(), WaitRefusedError)
  await assert.rejects(first, WaitRefusedError)
  requests.resume()
  assert.equal(requests.count, 0)
})
