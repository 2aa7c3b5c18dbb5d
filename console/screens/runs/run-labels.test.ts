import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { changeOf, describeChecks, durationMs, runOutcome } from './run-labels.ts'

const runWith = (part: Partial<BuildRun>) =>
  ({
    status: 'succeeded',
    outcome: 'built',
    startedAt: '2026-01-31T10:00:00.000Z',
    finishedAt: '2026-01-31T10:02:04.000Z',
    checks: [],
    files: [],
    ...part,
  }) as BuildRun
const checkResult = (name: string, ok: boolean) => ({ name, ok, ms: 1, errors: [] })

describe('the words that describe a build', () => {
  test('each outcome of a build has its own word and color', () => {
    assert.equal(runOutcome(runWith({})).word, 'Built')
    assert.equal(runOutcome(runWith({ outcome: 'replied' })).word, 'Answered')
    assert.equal(runOutcome(runWith({ outcome: 'awaiting' })).word, 'Asked a question')
    assert.deepEqual(runOutcome(runWith({ status: 'awaiting' })).tone, 'ask')
    assert.deepEqual(runOutcome(runWith({ status: 'failed', outcome: null })).tone, 'bad')
    assert.deepEqual(runOutcome(runWith({ status: 'running', outcome: null })).tone, 'busy')
  })

  test('the duration of a build is unknown before it starts and while it waits for answers', () => {
    assert.equal(durationMs(runWith({}), 0), 124_000)
    const now = Date.parse('2026-01-31T10:00:30.000Z')
    assert.equal(durationMs(runWith({ status: 'running', finishedAt: null }), now), 30_000)
    assert.equal(durationMs(runWith({ startedAt: null }), now), null)
    assert.equal(durationMs(runWith({ status: 'awaiting', finishedAt: null }), now), null)
  })

  test('passed checks of a build are counted, and failed ones are named', () => {
    assert.equal(describeChecks(runWith({})), null)
    assert.equal(
      describeChecks(runWith({ checks: [checkResult('types', true), checkResult('lint', true)] })),
      '2 checks passed',
    )
    assert.equal(
      describeChecks(runWith({ checks: [checkResult('types', false), checkResult('new', false)] })),
      'red: Types, new',
    )
  })

  test('the changed lines of a build are summed over all files', () => {
    const files = [
      { path: 'a', added: 3, removed: 1 },
      { path: 'b', added: 2, removed: 0 },
    ]
    assert.deepEqual(changeOf(runWith({ files })), { added: 5, removed: 1 })
  })
})
