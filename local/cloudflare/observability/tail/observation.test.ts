import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { observationOf } from './observation.ts'

describe('the observation settings of a worker', () => {
  const on = { enabled: true }

  test("a script's observability setting takes precedence over its version's setting", () => {
    assert.equal(observationOf({ settings: {} }, { observability: on }), 'invocations')
    const off = { settings: { observability: { enabled: false } } }
    assert.equal(observationOf(off, { observability: on }), 'nothing')
    for (const odd of [null, 'on', { enabled: 'yes' }, []])
      assert.equal(observationOf({ settings: {} }, { observability: odd }), 'nothing')
  })

  test('the log lines of a worker are recorded even when its invocation logs are disabled', () => {
    const observationOfLogs = (logs: unknown) =>
      observationOf({ settings: {} }, { observability: { ...on, logs } })
    assert.equal(observationOfLogs({ enabled: true, invocation_logs: false }), 'lines')
    for (const logs of [{ enabled: true }, { invocation_logs: true }, null, 'none'])
      assert.equal(observationOfLogs(logs), 'invocations')
  })
})
