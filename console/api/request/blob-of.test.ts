import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { blobOf } from './blob-of.ts'

test('reading a download returns the blob of its response, and throws when the response is not a blob', async () => {
  const blob = await new Response('id,at').blob()
  assert.equal(blobOf(blob), blob)
  for (const body of ['id,at', undefined, {}]) assert.throws(() => blobOf(body), UnexpectedResponseError)
})
