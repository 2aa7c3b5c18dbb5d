import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceAt, serviceOfKey } from './services.ts'

test('the model service to which an API key belongs is found by the longest known prefix of the key', () => {
  const keys: [key: string, service: string | null][] = [
    ['sk-ant-api03-x', 'anthropic'],
    ['sk-or-v1-x', 'openrouter'],
    ['sk-proj-x', 'openai'],
    ['sk-x', 'openai'],
    ['AIzaSyX', 'google'],
    ['gsk_x', 'groq'],
    ['xai-x', 'xai'],
    ['pk_live_x', null],
    ['', null],
  ]
  for (const [key, service] of keys) assert.equal(serviceOfKey(key), service, key)
})

test('a model address belongs to a service only when its whole host matches', () => {
  assert.equal(serviceAt('https://api.groq.com/anything'), 'groq')
  assert.equal(serviceAt('https://api.groq.com.evil.test/v1'), null)
  assert.equal(serviceAt('https://evil.test/api.groq.com'), null)
})
