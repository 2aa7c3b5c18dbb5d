import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../../server/capability-catalog/catalog.ts'
import { everythingFiles } from '../../server/testing/apps/everything-app.ts'
import { ROOT } from '../lib.ts'

const has = (path: string) => existsSync(join(ROOT, path))
const textOf = (path: string) => (has(path) ? readFileSync(join(ROOT, path), 'utf8') : '')
const keysWhere = (holds: (key: CapabilityKey) => boolean) => CAPABILITY_KEYS.filter(holds)

/** Returns the names of the values that a module of `runtime/` exports from the folder of each capability. */
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

/** Returns the names of the values in the `server.ts` of each capability. Apps can import all of them. */
const serverExports = (): Map<string, string[]> =>
  new Map(
    keysWhere((key) => has(`runtime/${key}/server.ts`)).map((key) => [
      key,
      [
        ...textOf(`runtime/${key}/server.ts`).matchAll(
          /^export (?:const |(?:async )?function |class |\{ )(\w+)/gm,
        ),
      ].map(([, name = '']) => name),
    ]),
  )

/** Omissions in a new capability that no type check and no other test notices. */
describe('the folders of a capability', () => {
  test('a capability has code that erases a person in its part.ts exactly when its declaration names that file', () => {
    assert.deepEqual(
      keysWhere((key) => /^ {2}erasure[:,]/m.test(textOf(`runtime/${key}/part.ts`))),
      keysWhere((key) => capabilityOf(key).erasure === 'in part.ts'),
    )
  })

  test('the client.ts of each capability is exported from the runtime module that browser code of apps imports', () => {
    const client = exportsOf('client.ts')
    assert.deepEqual(
      keysWhere(
        (key) => (has(`runtime/${key}/client.ts`) || has(`runtime/${key}/client`)) && !client.has(key),
      ),
      [],
    )
  })

  test('apps can import code of each capability, for their server or for their pages', () => {
    const [server, client] = [serverExports(), exportsOf('client.ts')]
    assert.deepEqual(
      keysWhere((key) => !server.has(key) && !client.has(key)),
      [],
    )
  })

  test('the server.ts of each capability exports a single value, because apps can import everything that it exports', () => {
    assert.deepEqual(
      [...serverExports()].filter(([, names]) => names.length !== 1),
      [],
    )
  })

  /** Pages import these from the module for browser code. */
  const NOT_FOR_COMPONENTS = ['assets', 'files']

  test('the browser code of each capability except files and assets can also be imported from the module for React components', () => {
    const [client, components] = [exportsOf('client.ts'), exportsOf('react.ts')]
    assert.deepEqual(
      keysWhere((key) => client.has(key) && !components.has(key)).toSorted(),
      NOT_FOR_COMPONENTS,
    )
  })

  test('a capability with browser code has routes, except call, which uses the sockets of live', () => {
    // What `call` sends goes through the sockets of `live`.
    const client = keysWhere((key) => key !== 'call' && exportsOf('client.ts').has(key))
    assert.deepEqual(
      client.filter((key) => !has(`runtime/${key}/mount.ts`)),
      [],
    )
  })

  test('a capability has routes if its guide mentions a path below /_app for it', () => {
    const named = keysWhere((key) => textOf(`docs/guides/capabilities/${key}.md`).includes(`/_app/${key}`))
    assert.ok(named.includes('hook'))
    assert.deepEqual(
      named.filter((key) => !has(`runtime/${key}/mount.ts`)),
      [],
    )
  })

  test('each capability with operator routes has a live tab in the console, except assets, which has a separate page', () => {
    assert.deepEqual(
      keysWhere(
        (key) =>
          has(`server/capabilities/${key}/${key}.routes.ts`) &&
          !has(`console/screens/capabilities/${key}/live-tab.tsx`),
      ),
      ['assets'],
    )
  })

  test('the test app that uses every capability calls the server code of each, except hook, which receives webhook requests', () => {
    const code = [...everythingFiles().values()].join('\n')
    const uncalled = [...serverExports()].filter(
      ([, names]) => !names.some((name) => new RegExp(`[ (]${name}\\.\\w+[.(]`).test(code)),
    )
    assert.deepEqual(
      uncalled.map(([key]) => key),
      ['hook'],
    )
  })
})
