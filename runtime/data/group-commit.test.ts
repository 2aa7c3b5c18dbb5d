import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GroupCommit } from './group-commit.ts'

describe('group commits of a Durable Object', () => {
  test('concurrent calls run in order in one shared commit, and later calls get the next commit', async () => {
    const commits = new GroupCommit()
    const done: string[] = []
    const call = (name: string) => commits.take(() => done.push(name))
    const both = [call('a'), call('b')]
    assert.deepEqual(done, [])
    await sleep(5)
    assert.deepEqual(done, ['a', 'b'])
    assert.deepEqual(await Promise.all(both), [1, 2])
    assert.equal(await call('c'), 3)
  })

  test('a call that throws does not fail the other calls of its shared commit', async () => {
    const commits = new GroupCommit()
    const refuse = (): number => {
      throw new Error('refused')
    }
    const results = await Promise.allSettled([
      commits.take(() => 1),
      commits.take(refuse),
      commits.take(() => 3),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  test('a call that is made during a shared commit waits for the next one', async () => {
    const commits = new GroupCommit()
    const inner = await commits.take(() => ({ next: commits.take(() => 'later') }))
    assert.equal(await inner.next, 'later')
  })
})
