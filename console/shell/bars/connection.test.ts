import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Connection } from './connection.ts'

/** A service with these health check results, in order. */
function scriptedConnection(answers: boolean[], online = true) {
  const waits: number[] = []
  const states: string[] = []
  const set = { online }
  const connection = new Connection({
    isOnline: () => set.online,
    isHealthy: async () => answers.shift() ?? true,
    wait: async (ms) => void waits.push(ms),
  })
  connection.subscribe(() => states.push(connection.get()))
  return { connection, waits, states, set }
}

describe('the connection to the service', () => {
  test('a failed request does not change the state of the connection when the health check succeeds', async () => {
    const { connection, states } = scriptedConnection([true])
    await connection.check()
    assert.deepEqual([connection.get(), states], ['online', []])
  })

  test('the health of a restarting service is checked at growing intervals until the service is back', async () => {
    const { connection, states, waits } = scriptedConnection([
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
    await connection.check()
    assert.deepEqual(states, ['away', 'online'])
    assert.deepEqual(waits, [500, 1000, 2000, 3000, 5000, 5000, 5000])
  })

  test('without a network no health check is sent, and when the network is back, a health check sets the state to online', async () => {
    const { connection, states, set } = scriptedConnection([false], false)
    await connection.check()
    assert.equal(connection.get(), 'offline')
    set.online = true
    await connection.check()
    assert.deepEqual(states, ['offline', 'away', 'online'])
  })

  test('ten simultaneous failed requests cause one health check', async () => {
    const { connection, waits } = scriptedConnection([false])
    await Promise.all(Array.from({ length: 10 }, () => connection.check()))
    assert.equal(waits.length, 1)
  })

  test('waiting for the connection to come back also waits for a health check that is already running', async () => {
    const answers = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    const next = answers.values()
    const connection = new Connection({
      isOnline: () => true,
      isHealthy: () => next.next().value?.promise ?? Promise.resolve(true),
      wait: async () => {},
    })
    void connection.check()
    let isBack = false
    const back = connection.whenBack().then(() => (isBack = true))
    answers[0]?.resolve(false)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([isBack, connection.get()], [false, 'away'])
    answers[1]?.resolve(true)
    await back
    assert.equal(connection.get(), 'online')
  })

  test('code that waits for the connection continues once the service responds', async () => {
    const { connection, set } = scriptedConnection([], false)
    const back = connection.whenBack()
    await connection.check()
    set.online = true
    void connection.check()
    await back
    assert.equal(connection.get(), 'online')
  })
})
