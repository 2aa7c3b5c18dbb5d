import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSlowHashes } from './lint.ts'

const call = (iterations: string) => `crypto.subtle.deriveBits({ name: 'PBKDF2', ${iterations} }, key, 256)`
const lines = (files: Record<string, string>) =>
  findSlowHashes(new Map(Object.entries(files))).map(({ file, line }) => `${file}:${line}`)

test('lint finds PBKDF2 with more iterations than production accepts, as a number, a constant or an import', () => {
  assert.deepEqual(lines({ 'server/a.ts': `\n${call('iterations: 310_000')}` }), ['server/a.ts:2'])
  assert.deepEqual(lines({ 'server/a.ts': call('iterations: 6e5') }), ['server/a.ts:1'])
  assert.deepEqual(lines({ 'server/a.ts': `const ROUNDS: number = 600000\n${call('iterations: ROUNDS')}` }), [
    'server/a.ts:2',
  ])
  assert.deepEqual(lines({ 'server/a.ts': `const iterations = 200_000\n${call('salt, iterations')}` }), [
    'server/a.ts:2',
  ])
  const imported = {
    'server/a.ts': call('iterations: ROUNDS'),
    'shared/limits.ts': 'export const ROUNDS = 210_000',
  }
  assert.deepEqual(lines(imported), ['server/a.ts:1'])
})

test('lint accepts PBKDF2 with a hundred thousand iterations, and other algorithms', () => {
  assert.deepEqual(lines({ 'server/a.ts': call('iterations: 100_000') }), [])
  assert.deepEqual(
    lines({ 'server/a.ts': 'for (let iterations = 0; iterations < 500_000; iterations++) {}' }),
    [],
  )
  assert.deepEqual(lines({ 'server/a.ts': 'simulate({ iterations: 1_000_000 })' }), [])
  assert.deepEqual(lines({ 'server/a.ts': call('iterations: unknown') }), [])
  assert.deepEqual(lines({ 'public/a.txt': call('iterations: 900_000') }), [])
})
