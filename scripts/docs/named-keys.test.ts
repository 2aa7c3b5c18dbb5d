import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namedKeys } from './named-keys.ts'

const FOLDERS = new Map(['pay', 'live', 'data'].map((key) => [key, `server/capabilities/${key}`]))

const keysIn = (text: string, path = 'server/releases/ship.ts') =>
  namedKeys([{ path, text }], FOLDERS).map(({ key }) => key)

describe('finding the keys of capabilities in sources', () => {
  test('the key of a capability is found in calls, comparisons, assignments, typed objects and imports', () => {
    const forms = [
      `enabled.has('pay')`,
      `uses.includes(isSold ? 'pay' : null)`,
      `if (row.key === 'pay') stop()`,
      `const found = { key: 'pay', reason }`,
      `const key = isSold ? 'pay' : 'other'`,
      `const read = (db: Db, key: string) => db; read(db, 'pay')`,
      `function need(of: CapabilityKey) {} need('pay')`,
      `const all: Partial<Record<CapabilityKey, string>> = { pay: 'one' }`,
      `const needed = { sold: 'pay' } satisfies Record<string, CapabilityKey>`,
      `import { sync } from '../capabilities/pay/sync.ts'`,
    ]
    for (const form of forms) assert.deepEqual(keysIn(form), ['pay'], form)
  })

  test('a word that equals the key of a capability but has another meaning is not found', () => {
    const others = [
      `project.lifecycle === 'live'`,
      `stream.on('data', read)`,
      `const states: Record<string, string> = { live: 'live' }`,
      `const read = (db: Db, key: string) => db; read('live', id)`,
      `import { live } from './live.ts'`,
    ]
    for (const other of others) assert.deepEqual(keysIn(other), [], other)
  })

  test('tests, generated modules and the folder of the capability may name its key', () => {
    assert.deepEqual(keysIn(`has('pay')`, 'server/capabilities/pay/sync.ts'), [])
    assert.deepEqual(keysIn(`has('pay')`, 'server/releases/ship.test.ts'), [])
    assert.deepEqual(keysIn(`// Made by generate\nhas('pay')`), [])
  })
})
