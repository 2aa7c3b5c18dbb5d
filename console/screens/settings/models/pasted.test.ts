import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShowable, readPasted } from './pasted.ts'

test('an API key of a model provider is recognized in an .env line, in quotes, and after “Bearer”', () => {
  for (const text of [
    'sk-ant-1',
    '  sk-ant-1\n',
    '"sk-ant-1"',
    'ANTHROPIC_API_KEY=sk-ant-1',
    "export ANTHROPIC_API_KEY='sk-ant-1'",
    'Bearer sk-ant-1',
  ])
    assert.deepEqual(readPasted(text), { key: 'sk-ant-1' }, text)
  assert.deepEqual(readPasted('abc.def'), { key: 'abc.def' }, 'keys may have dots')
  assert.deepEqual(readPasted('xyz=='), { key: 'xyz==' })
})

test('the URL of a model server is recognized with and without a scheme', () => {
  assert.deepEqual(readPasted(' https://models.example/v1 '), { baseUrl: 'https://models.example/v1' })
  assert.deepEqual(readPasted('localhost:11434'), { baseUrl: 'http://localhost:11434' })
  assert.deepEqual(readPasted('10.0.0.7:1234/v1'), { baseUrl: 'http://10.0.0.7:1234/v1' })
  assert.deepEqual(readPasted('[::1]:8080'), { baseUrl: 'http://[::1]:8080' })
  assert.deepEqual(readPasted('OPENAI_BASE_URL=http://127.0.0.1:1234/v1'), {
    baseUrl: 'http://127.0.0.1:1234/v1',
  })
})

test('the text typed into the field for an API key is masked unless it is, or could become, a server address', () => {
  for (const text of ['', 'h', 'https:/', 'https://x', 'localhost', 'localhost:11434'])
    assert.ok(isShowable(text), text)
  for (const text of ['s', 'sk-ant-1', 'gsk_1', 'AIza', 'hx']) assert.ok(!isShowable(text), text)
})
