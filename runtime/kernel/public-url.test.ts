import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicUrl } from './public-url.ts'

test('webhook messages are sent only to public host names over https', () => {
  assert.equal(publicUrl('https://hooks.example.com/in?a=1#part'), 'https://hooks.example.com/in?a=1')
  assert.equal(publicUrl('https://hooks.example.com:8443/'), 'https://hooks.example.com:8443/')
  const refused = [
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'https://user:word@hooks.example.com/',
    'https://localhost/',
    'https://app.localhost/',
    'https://printer.local./',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.8/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.8]/',
    `https://hooks.example.com/${'x'.repeat(2000)}`,
    'hooks.example.com',
    '',
    null,
    7,
  ]
  for (const url of refused) assert.throws(() => publicUrl(url), { field: 'url' }, String(url))
})
