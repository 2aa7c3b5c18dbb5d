import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onTurnNotification } from './turn-notifications.ts'

test('a database notification about a turn of the plan thread is passed on, and an unknown or malformed one is ignored', () => {
  let notify = (_payload: string) => {}
  const heard: unknown[] = []
  const stop = () => {}
  const listener = { on: (_channel: string, handler: typeof notify) => ((notify = handler), stop) }
  assert.equal(
    onTurnNotification(listener, (notification) => heard.push(notification)),
    stop,
  )
  notify('{"kind":"told","id":"msg_1"}')
  notify('{"kind":"renamed","id":"msg_1"}')
  notify('not JSON')
  notify('')
  assert.deepEqual(heard, [{ kind: 'told', id: 'msg_1' }, null])
})
