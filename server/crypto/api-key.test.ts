import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashApiKey, isApiKey, newApiKey } from './api-key.ts'

test('a new API key has the documented form, and its prefix and hash match it', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 200; i++) {
    const { text, hash, prefix } = newApiKey()
    assert.match(text, /^svk_[0-9A-Za-z]{49}$/)
    assert.ok(isApiKey(text))
    assert.equal(prefix, text.slice(0, 12))
    assert.equal(hash, hashApiKey(text))
    assert.match(hash, /^[0-9a-f]{64}$/)
    seen.add(text)
  }
  assert.equal(seen.size, 200)
})

test('changing, removing or adding any character of an API key fails its checksum', () => {
  const { text } = newApiKey()
  for (let i = 4; i < text.length; i++) {
    const other = text[i] === 'x' ? 'y' : 'x'
    assert.ok(!isApiKey(text.slice(0, i) + other + text.slice(i + 1)), `position ${i}`)
  }
  for (const wrong of [
    '',
    'svk_',
    text.slice(0, -1),
    `${text}0`,
    ` ${text}`,
    text.replace('svk_', 'svx_'),
    `${text}\n`,
  ]) {
    assert.ok(!isApiKey(wrong), JSON.stringify(wrong))
  }
})
