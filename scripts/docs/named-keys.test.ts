import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namedKeys } from './named-keys.ts'

const FOLDERS = new Map(['pay', 'live', 'data'].map((key) => [key, `server/capabilities/${key}`]))

const keysIn = (text: string, path = 'server/releases/ship.ts') =>
  namedKeys([{ path, text }], FOLDERS).map(({ key }) => key)

describe('finding the keys of capabilities in sources', () => {
  test('the check for capability names finds the key in calls, comparisons, assignments, typed objects and imports', () => {
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

  test('the check for capability names ignores a word that equals a key but has another meaning', () => {
    const others = [
      `project.lifecycle === 'live'`,
      `stream.on('data', read)`,
      `const states: Record<string, string> = { live: 'live' }`,
      `const read = (db: Db, key: string) => db; read('live', id)`,
      `import { live } from './live.ts'`,
    ]
    for (const other of others) assert.deepEqual(keysIn(other), [], other)
  })

  test("the check for capability names allows the key in tests, in generated modules and in the capability's own folder", () => {
    assert.deepEqual(keysIn(`has('pay')`, 'server/capabilities/pay/sync.ts'), [])
    assert.deepEqual(keysIn(`has('pay')`, 'server/releases/ship.test.ts'), [])
    assert.deepEqual(keysIn(`// Made by generate\nhas('pay')`), [])
  })
})
