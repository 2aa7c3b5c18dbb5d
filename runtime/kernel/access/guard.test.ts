import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from './guard.ts'

const requestOf = (body: string) => new Request('https://app.example/api', { method: 'POST', body })
const nestedJson = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`

test('a JSON body nested up to 100 levels deep is accepted, and a deeper one is rejected without overflowing the stack', async () => {
  assert.ok(await readJson(requestOf(nestedJson(100))))
  const refusal = { code: 'invalid_request', message: 'body: is nested too deeply', field: 'body' }
  for (const levels of [101, 100_000]) await assert.rejects(readJson(requestOf(nestedJson(levels))), refusal)
})

test('a request body that is not a JSON object is rejected', async () => {
  for (const body of ['', '{', 'null', '1', '[]'])
    await assert.rejects(readJson(requestOf(body)), { code: 'invalid_request', field: 'body' })
})
