import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../server/capability-catalog/catalog.ts'
import { everythingFiles } from '../server/testing/everything-app.ts'
import { ROOT } from './lib.ts'

const has = (path: string) => existsSync(join(ROOT, path))
const textOf = (path: string) => (has(path) ? readFileSync(join(ROOT, path), 'utf8') : '')
const keysWhere = (holds: (key: CapabilityKey) => boolean) => CAPABILITY_KEYS.filter(holds)

/** Returns the names of the values that `runtime/<entry>` exports from the folder of each capability. */
function exportsOf(entry: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, names = '', key = ''] of textOf(`runtime/${entry}`).matchAll(
    /^export \{([^}]*)\} from '\.\/(\w+)\//gm,
  )) {
    const values = names.split(',').map((name) => name.trim())
    found.set(key, [...(found.get(key) ?? []), ...values.filter((name) => !name.startsWith('type '))])
  }
  return found
}

/** What no type check and no other test notices when it is forgotten for a new capability. */
describe('the folders of a capability', () => {
  test('a capability whose declaration says so erases a person in its part, and no other one does', () => {
    assert.deepEqual(
      keysWhere((key) => /^ {2}erasure[:,]/m.test(textOf(`runtime/${key}/part.ts`))),
      keysWhere((key) => capabilityOf(key).erasure === 'in part.ts'),
    )
  })

  test('what a capability offers to server code and to pages is exported from the modules that apps import', () => {
    const [server, client] = [exportsOf('server.ts'), exportsOf('client.ts')]
    assert.deepEqual(
      keysWhere((key) => has(`runtime/${key}/server.ts`) && !server.has(key)),
      [],
    )
    assert.deepEqual(
      keysWhere((key) => (has(`runtime/${key}/client.ts`) || has(`runtime/${key}/client`)) && !client.has(key)),
      [],
    )
    assert.deepEqual(
      keysWhere((key) => !server.has(key) && !client.has(key)),
      [],
    )
  })
})
