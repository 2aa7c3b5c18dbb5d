import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_EVENTS, exampleOf } from '../../console/screens/settings/webhooks/events.ts'
import { EVENT_DATA } from '../../server/events/event-types.ts'

test('the event examples in the console have exactly the fields of the events that the service sends', () => {
  assert.deepEqual(SAMPLE_EVENTS.toSorted(), Object.keys(EVENT_DATA).toSorted())
  for (const event of SAMPLE_EVENTS) {
    const { data } = JSON.parse(exampleOf(event)) as { data: object }
    assert.deepEqual(EVENT_DATA[event].strict().parse(data), data, event)
  }
})
