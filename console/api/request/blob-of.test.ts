import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { blobOf } from './blob-of.ts'

test('a download returns the blob of its response, and throws for any other body', async () => {
  const blob = await new Response('id,at').blob()
  assert.equal(blobOf(blob), blob)
  for (const body of ['id,at', undefined, {}]) assert.throws(() => blobOf(body), UnexpectedResponseError)
})
