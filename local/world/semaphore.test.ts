import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  /** Starts tasks that end when the test says so. `log` lists their starts and ends in order. */
  const openTasks = (slots: number) => {
    const semaphore = new Semaphore(slots)
    const log: string[] = []
    const ends = new Map<string, (error?: Error) => void>()
    const start = (name: string) =>
      semaphore.run(async () => {
        log.push(`+${name}`)
        await new Promise<void>((resolve, reject) => {
          ends.set(name, (error) => (error === undefined ? resolve() : reject(error)))
        })
        log.push(`-${name}`)
        return name
      })
    const end = (name: string, error?: Error) => ends.get(name)?.(error)
    return { semaphore, log, start, end }
  }

  test('a semaphore runs as many tasks at once as it has slots, and further tasks in the order of their calls', async () => {
    const { log, start, end } = openTasks(2)
    const tasks = ['a', 'b', 'c', 'd'].map(start)
    assert.deepEqual(log, ['+a', '+b'])
    end('b')
    await tasks[1]
    assert.deepEqual(log, ['+a', '+b', '-b', '+c'])
    end('a')
    await tasks[0]
    end('c')
    end('d')
    assert.deepEqual(await Promise.all(tasks), ['a', 'b', 'c', 'd'])
    assert.deepEqual(log.slice(0, 6), ['+a', '+b', '-b', '+c', '-a', '+d'])
  })

  test('a failed task frees its slot in the semaphore, even when it throws synchronously', async () => {
    const { semaphore, log, start, end } = openTasks(1)
    const failing = start('a')
    const next = start('b')
    end('a', new Error('a failed'))
    await assert.rejects(failing, /a failed/)
    end('b')
    assert.equal(await next, 'b')
    const throwing = () => {
      throw new Error('at once')
    }
    await assert.rejects(semaphore.run(throwing), /at once/)
    const last = start('c')
    assert.equal(log.at(-1), '+c')
    end('c')
    await last
  })

  test('a new task of a semaphore does not take the freed slot that a waiting task was given', async () => {
    const { log, start, end } = openTasks(1)
    const first = start('a')
    const waiting = start('b')
    end('a')
    await first
    const late = start('c')
    assert.deepEqual(log, ['+a', '-a', '+b'])
    end('b')
    await waiting
    end('c')
    await late
    assert.deepEqual(log, ['+a', '-a', '+b', '-b', '+c', '-c'])
  })
})
