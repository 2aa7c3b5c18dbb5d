import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveConfig } from 'vite'

test('the console is built for production even when NODE_ENV is test', async (t) => {
  const before = process.env['NODE_ENV']
  t.after(() => {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  })
  process.env['NODE_ENV'] = 'test'
  const { isProduction } = await resolveConfig({ root: import.meta.dirname, logLevel: 'silent' }, 'build')
  assert.equal(isProduction, true)
})
