import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Listener } from '../db/listener.ts'
import { silentLog } from '../testing/database.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { type Drain, startDrain } from './drain.ts'

function testListener() {
  const handlers = new Set<(payload: string) => void>()
  const listener: Listener = {
    on(_channel, handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    close: () => Promise.resolve(),
  }
  const notifyHandlers = () => {
    for (const handler of handlers) handler('')
  }
  return { listener, tell: notifyHandlers, handlers }
}

/** Returns a `work` function for a drain. The test ends each round of `work` with the number of handled rows or an error. */
function controlledRounds() {
  const begun: ((handled: number | Error) => void)[] = []
  let waiting: (() => void) | null = null
  const work = () =>
    new Promise<{ handled: number }>((resolve, reject) => {
      begun.push((handled) => (handled instanceof Error ? reject(handled) : resolve({ handled })))
      waiting?.()
    })
  const nextRound = async () => {
    if (begun.length === 0) await new Promise<void>((resolve) => (waiting = resolve))
    waiting = null
    const end = begun.shift()
    assert.ok(end)
    return end
  }
  const flushTasks = () => new Promise((resolve) => setImmediate(resolve))
  return { work, next: nextRound, begun, settled: flushTasks }
}

describe('a drain', () => {
  let drain: Drain
  afterEach(() => drain.stop())
  const HOUR_MS = 3_600_000
  const startTestDrain = (listener: Listener, work: () => Promise<{ handled: number }>, idleMs = HOUR_MS) =>
    (drain = startDrain({ name: 'test', channel: 'test', listener, log: silentLog, idleMs, work }))

  test('a queue drain loop starts its next round at once while there is work left', async () => {
    const { work, next, begun, settled } = controlledRounds()
    startTestDrain(testListener().listener, work)
    for (let round = 0; round < 3; round++) (await next())(1)
    ;(await next())(0)
    await settled()
    assert.equal(begun.length, 0, 'it sleeps')
  })

  test('an idle drain loop sleeps until a notification, a wake-up call or the end of its idle time', async () => {
    const { listener, tell } = testListener()
    const { work, next, settled } = controlledRounds()
    startTestDrain(listener, work)
    ;(await next())(0)
    await settled()
    tell()
    ;(await next())(0)
    await settled()
    drain.wake()
    ;(await next())(0)
    await drain.stop()
    startTestDrain(listener, work, 1)
    ;(await next())(0)
    ;(await next())(0)
  })

  test('a notification that arrives during a round of a drain loop starts another round', async () => {
    const { listener, tell } = testListener()
    const { work, next } = controlledRounds()
    startTestDrain(listener, work)
    const end = await next()
    tell()
    end(0)
    ;(await next())(0)
  })

  test('a drain loop runs another round after a failed one', async () => {
    const { work, next } = controlledRounds()
    startTestDrain(testListener().listener, work)
    ;(await next())(new Error('the database is away'))
    ;(await next())(0)
  })

  test('the pause after each failed round of a drain loop doubles up to five seconds', async (t) => {
    const pauses = recordSleeps(t)
    const { work, next } = controlledRounds()
    startTestDrain(testListener().listener, work)
    for (let failure = 1; failure <= 7; failure++) (await next())(new Error('the database is away'))
    const end = await next()
    assert.deepEqual(pauses, [200, 400, 800, 1600, 3200, 5000, 5000])
    const stopped = drain.stop()
    end(0)
    await stopped
  })

  test('stopping a drain loop aborts the running round, waits for it, and starts no further round', async () => {
    const { listener, tell, handlers } = testListener()
    let told: AbortSignal | undefined
    let end: ((result: { handled: number }) => void) | undefined
    let begun = 0
    drain = startDrain({
      name: 'test',
      channel: 'test',
      listener,
      log: silentLog,
      work: (signal) => {
        begun += 1
        told = signal
        return new Promise((resolve) => (end = resolve))
      },
    })
    const stopped = drain.stop()
    assert.equal(told?.aborted, true)
    end?.({ handled: 1 })
    await stopped
    tell()
    assert.equal(begun, 1)
    assert.equal(handlers.size, 0)
  })
})
