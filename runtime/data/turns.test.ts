import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Turns } from './turns.ts'

describe('group commits of an object', () => {
  test('calls of one moment run together and in order, and later ones in the next commit', async () => {
    const turns = new Turns()
    const done: string[] = []
    const call = (name: string) => turns.take(() => done.push(name))
    const both = [call('a'), call('b')]
    assert.deepEqual(done, [])
    await sleep(5)
    assert.deepEqual(done, ['a', 'b'])
    assert.deepEqual(await Promise.all(both), [1, 2])
    assert.equal(await call('c'), 3)
  })

  test('a call that throws fails alone', async () => {
    const turns = new Turns()
    const refuse = (): number => {
      throw new Error('refused')
    }
    const results = await Promise.allSettled([turns.take(() => 1), turns.take(refuse), turns.take(() => 3)])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  test('a call made during a commit waits for the next', async () => {
    const turns = new Turns()
    const inner = await turns.take(() => ({ next: turns.take(() => 'later') }))
    assert.equal(await inner.next, 'later')
  })
})
