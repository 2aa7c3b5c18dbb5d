import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CircuitBreaker, limiterOf, TokenBucket } from './limits.ts'

describe('pacing the calls of one credential', () => {
  test('the rate limiter sends calls up to its burst size at once, and further calls at its rate per minute', () => {
    const pace = new TokenBucket({ perMinute: 60, burst: 3 }, 0)
    const waits = Array.from({ length: 5 }, () => pace.reserve(0, 60_000))
    assert.deepEqual(waits, [0, 0, 0, 1000, 2000])
    // After three seconds the two delayed calls were sent, and the bucket has one token again.
    assert.equal(pace.reserve(3000, 60_000), 0)
    assert.equal(pace.reserve(60_000, 60_000), 0)
  })

  test('after a long time without calls the rate limiter still allows only one burst at once', () => {
    const pace = new TokenBucket({ perMinute: 60, burst: 2 }, 0)
    assert.deepEqual(
      [1, 2, 3].map(() => pace.reserve(3_600_000, 60_000)),
      [0, 0, 1000],
    )
  })

  test('a call that would have to wait too long for the rate limiter is refused and does not delay later calls', () => {
    const pace = new TokenBucket({ perMinute: 60, burst: 1 }, 0)
    assert.deepEqual([pace.reserve(0, 500), pace.reserve(0, 500), pace.reserve(0, 1000)], [0, null, 1000])
  })

  test('a shorter pause of the rate limiter does not end a longer pause', () => {
    const pace = new TokenBucket({ perMinute: 60, burst: 1 }, 0)
    pace.pause(0, 10)
    pace.pause(1000, 2)
    assert.deepEqual([pace.pausedMs(4000), pace.pausedMs(10_000)], [6000, 0])
  })

  test('Cloudflare REST calls with one credential share a rate limit, and its GraphQL calls have a separate rate limit', () => {
    assert.equal(limiterOf('a'), limiterOf('a'))
    assert.notEqual(limiterOf('a'), limiterOf('b'))
    const line = limiterOf('a')
    assert.notEqual(line.pace('/graphql'), line.pace('/accounts'))
    assert.equal(line.pace('/user'), line.pace('/accounts'))
  })

  test("one credential makes at most 1,200 calls to Cloudflare's REST API and 320 to its GraphQL API in 5 minutes, bursts included", () => {
    const callsInFiveMinutes = (path: string) => {
      const bucket = limiterOf(`five minutes of ${path}`).pace(path)
      const now = performance.now()
      let calls = 0
      while (bucket.reserve(now, 5 * 60_000 - 1) !== null) calls++
      return calls
    }
    // The next call, the 1,200th or the 320th, would be sent exactly when the five minutes end.
    assert.equal(callsInFiveMinutes('/accounts'), 1199)
    assert.equal(callsInFiveMinutes('/graphql'), 319)
  })

  test('after a burst of sixty calls a call is sent to Cloudflare every 263 ms, or at the rate that is set for the credential', () => {
    const waitAfter = (line: ReturnType<typeof limiterOf>, calls: number) => {
      const now = performance.now()
      for (let n = 0; n < calls; n++) line.pace('/accounts').reserve(now, 60_000)
      return Math.round(line.pace('/accounts').reserve(now, 60_000) ?? 0)
    }
    assert.deepEqual([waitAfter(limiterOf('c'), 59), waitAfter(limiterOf('d'), 60)], [0, 263])
    assert.equal(waitAfter(limiterOf('e', 60_000), 60), 1)
  })

  test('the error of a call that would have to wait too long for the rate limiter says after how many seconds to try again', async () => {
    const limiter = limiterOf('f', 3)
    for (let n = 0; n < 60; n++) await limiter.acquire('/accounts', 0, undefined)
    await assert.rejects(limiter.acquire('/accounts', 1000, undefined), /try again in 20 s/)
  })

  /** Returns a call that waits 0.4 seconds for the rate limiter. The call may wait for at most a second. */
  const waitingCall = async (limiter: ReturnType<typeof limiterOf>, signal?: AbortSignal) => {
    for (let n = 0; n < 60; n++) await limiter.acquire('/accounts', 0, undefined)
    return { acquired: limiter.acquire('/accounts', 1000, signal) }
  }

  test('a call that waits for the rate limiter is refused when Cloudflare meanwhile asks for a longer pause than the call may wait', async () => {
    const limiter = limiterOf('g', 150)
    const { acquired } = await waitingCall(limiter)
    limiter.pace('/accounts').pause(performance.now(), 600)
    await assert.rejects(acquired, { fault: 'upstream', retryAfterSeconds: 600, answersWith: 'unavailable' })
  })

  test('a call that waits for the rate limiter is refused when Cloudflare meanwhile stops responding', async () => {
    const limiter = limiterOf('h', 150)
    const { acquired } = await waitingCall(limiter)
    for (let n = 0; n < 5; n++) limiter.circuit.failed(performance.now())
    await assert.rejects(acquired, { retryAfterSeconds: 15, answersWith: 'unavailable' })
  })

  test('a call that waits for the rate limiter also waits for a short pause of Cloudflare, and rejects at once when it is cancelled', async () => {
    const limiter = limiterOf('i', 150)
    const { acquired } = await waitingCall(limiter)
    const begun = performance.now()
    limiter.pace('/accounts').pause(begun, 0.6)
    await acquired
    assert.ok(performance.now() - begun >= 599)
    const leaving = new AbortController()
    limiter.pace('/accounts').pause(performance.now(), 30)
    const cancelled = limiter.acquire('/accounts', 60_000, leaving.signal)
    leaving.abort(new Error('left'))
    await assert.rejects(cancelled, { name: 'AbortError' })
  })
})

describe('the circuit breaker of one credential', () => {
  test('the circuit breaker blocks calls after five failures within half a minute, and again after the first failure that follows its pause', () => {
    const circuit = new CircuitBreaker()
    for (const at of [0, 1000, 2000, 3000]) circuit.failed(at)
    assert.equal(circuit.openMs(3000), 0)
    circuit.failed(4000)
    assert.equal(circuit.openMs(4000), 15_000)
    assert.equal(circuit.openMs(19_000), 0)
    circuit.failed(19_000)
    assert.equal(circuit.openMs(19_000), 15_000)
  })

  test("a response resets the circuit breaker's failure count, and failures that are far apart do not make the breaker block calls", () => {
    const circuit = new CircuitBreaker()
    for (const at of [0, 1, 2, 3]) circuit.failed(at)
    circuit.answered()
    circuit.failed(4)
    assert.equal(circuit.openMs(4), 0)
    const slow = new CircuitBreaker()
    for (let at = 0; at < 200_000; at += 8000) slow.failed(at)
    assert.equal(slow.openMs(200_000), 0)
  })
})
