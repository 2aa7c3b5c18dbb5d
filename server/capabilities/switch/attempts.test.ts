import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Attempts } from './attempts.ts'

describe('attempts to create resources', () => {
  let attempts = new Attempts()
  let runs: string[] = []
  beforeEach(() => {
    attempts = new Attempts()
    runs = []
  })
  const working = (name: string) => async () => void runs.push(name)
  const failing = (name: string) => async () => {
    runs.push(name)
    throw new Error(`${name} failed`)
  }

  test('capabilities that need the same resource share one attempt to create it, and each resource has a separate attempt', async () => {
    await Promise.all([
      attempts.share('bucket a', 'files', working('files')),
      attempts.share('bucket a', 'assets', working('assets')),
      attempts.share('bucket b', 'files', working('other')),
    ])
    await attempts.share('bucket a', 'video', working('video'))
    assert.deepEqual(runs, ['files', 'other'])
    assert.deepEqual([attempts.has('bucket a'), attempts.has('bucket c')], [true, false])
  })

  test('a failed attempt to create a resource fails for every capability that shares it, and the next call starts another attempt', async () => {
    const both = await Promise.allSettled([
      attempts.share('bucket', 'files', failing('first')),
      attempts.share('bucket', 'assets', working('unused')),
    ])
    assert.deepEqual(
      both.map((one) => one.status === 'rejected' && String(one.reason)),
      ['Error: first failed', 'Error: first failed'],
    )
    await attempts.share('bucket', 'assets', working('second'))
    assert.deepEqual(runs, ['first', 'second'])
  })

  test('a second attempt to set up a shared resource starts only for a capability that the latest attempt omitted', async () => {
    await attempts.share('live', 'guard', async (omitted) => void omitted.add('guard'))
    attempts.markOmitted('live', ['data'])
    attempts.markOmitted('admin', ['data'])
    await attempts.share('live', 'files', working('files'))
    assert.deepEqual(runs, [])
    await attempts.share('live', 'data', working('data'))
    await attempts.share('live', 'guard', working('guard'))
    assert.deepEqual(runs, ['data'])
  })

  test('an attempt to create a resource starts after the previous attempt for the same resource has succeeded or failed', async () => {
    const call = Promise.withResolvers<void>()
    const first = attempts.start('live', async () => {
      await call.promise
      await failing('first')()
    })
    const second = attempts.start('live', working('second'))
    await attempts.start('admin', working('admin'))
    call.resolve()
    await assert.rejects(first, /first failed/)
    await second
    assert.deepEqual(runs, ['admin', 'first', 'second'])
  })

  test('waiting for all attempts to create resources includes failed ones, other work and attempts that start during the wait', async () => {
    attempts.include(failing('other')())
    void attempts.start('live', async () => {
      await Promise.resolve()
      void attempts.start('admin', working('admin'))
      await failing('live')()
    })
    await attempts.ended()
    assert.deepEqual(runs, ['other', 'live', 'admin'])
  })
})
