import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onRunControl } from './run-control.ts'

test('a build receives control messages with its run id, and ignores messages of other runs and of unknown kinds', () => {
  let notify = (_payload: string) => {}
  const heard: unknown[] = []
  const stop = () => {}
  const listener = { on: (_channel: string, handler: typeof notify) => ((notify = handler), stop) }
  assert.equal(
    onRunControl(listener, 'run_1', (message) => heard.push(message)),
    stop,
  )
  notify('{"kind":"cancelled","runId":"run_1"}')
  notify('{"kind":"cancelled","runId":"run_2"}')
  notify('{"kind":"paused","runId":"run_1"}')
  notify('not JSON')
  notify('')
  assert.deepEqual(heard, [{ kind: 'cancelled', runId: 'run_1' }, null])
})
