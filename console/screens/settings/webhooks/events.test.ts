import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { SAMPLE_EVENTS, exampleOf } from './events.ts'

interface Schema {
  enum?: string[]
  properties: Record<string, { items: { enum: string[] } }>
}

describe('the examples of events', () => {
  test('every webhook event of the API has an example and a description', () => {
    const file = new URL('../../../../docs/api/openapi.json', import.meta.url)
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
      components: { schemas: Record<string, Schema> }
    }
    const known = components.schemas['WebhookEndpoint']?.properties['events']?.items.enum ?? []
    assert.equal(known.length, 12)
    assert.deepEqual([...SAMPLE_EVENTS, '*'].toSorted(), known.toSorted())
    assert.deepEqual(Object.keys(webhooksText.events).toSorted(), [...SAMPLE_EVENTS].toSorted())
  })

  test("every example of a webhook event is a complete payload with that event's type", () => {
    for (const event of SAMPLE_EVENTS) {
      const envelope = JSON.parse(exampleOf(event)) as Record<string, unknown>
      assert.deepEqual(Object.keys(envelope), ['id', 'type', 'projectId', 'createdAt', 'data'])
      assert.equal(envelope['type'], event)
    }
  })
})
