import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { changeOf, checksInWords, durationMs, outcomeOf } from './run-labels.ts'

const run = (part: Partial<BuildRun>) =>
  ({
    status: 'succeeded',
    outcome: 'built',
    startedAt: '2026-01-31T10:00:00.000Z',
    finishedAt: '2026-01-31T10:02:04.000Z',
    checks: [],
    files: [],
    ...part,
  }) as BuildRun
const check = (name: string, ok: boolean) => ({ name, ok, ms: 1, errors: [] })

describe('a build in words', () => {
  test('each outcome of a build has its own word and tone', () => {
    assert.equal(outcomeOf(run({})).word, 'Built')
    assert.equal(outcomeOf(run({ outcome: 'replied' })).word, 'Answered')
    assert.equal(outcomeOf(run({ outcome: 'awaiting' })).word, 'Asked a question')
    assert.deepEqual(outcomeOf(run({ status: 'awaiting' })).tone, 'ask')
    assert.deepEqual(outcomeOf(run({ status: 'failed', outcome: null })).tone, 'bad')
    assert.deepEqual(outcomeOf(run({ status: 'running', outcome: null })).tone, 'busy')
  })

  test('a build has a duration, unless it has not started or waits for answers', () => {
    assert.equal(durationMs(run({}), 0), 124_000)
    const now = Date.parse('2026-01-31T10:00:30.000Z')
    assert.equal(durationMs(run({ status: 'running', finishedAt: null }), now), 30_000)
    assert.equal(durationMs(run({ startedAt: null }), now), null)
    assert.equal(durationMs(run({ status: 'awaiting', finishedAt: null }), now), null)
  })

  test('passed checks of a build are counted, and failed ones are named', () => {
    assert.equal(checksInWords(run({})), null)
    assert.equal(
      checksInWords(run({ checks: [check('types', true), check('lint', true)] })),
      '2 checks passed',
    )
    assert.equal(
      checksInWords(run({ checks: [check('types', false), check('new', false)] })),
      'red: Types, new',
    )
  })

  test('the changed lines of a build are summed over all files', () => {
    const files = [
      { path: 'a', added: 3, removed: 1 },
      { path: 'b', added: 2, removed: 0 },
    ]
    assert.deepEqual(changeOf(run({ files })), { added: 5, removed: 1 })
  })
})
