import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../../server/capability-catalog/catalog.ts'
import { everythingFiles } from '../../server/testing/apps/everything-app.ts'
import { ROOT } from '../lib.ts'

const has = (path: string) => existsSync(join(ROOT, path))
const textOf = (path: string) => (has(path) ? readFileSync(join(ROOT, path), 'utf8') : '')
const keysWhere = (holds: (key: CapabilityKey) => boolean) => CAPABILITY_KEYS.filter(holds)

/** Returns the names of the values that this file of each capability exports. Apps can import all of them. */
const exportsOf = (file: 'server.ts' | 'client.ts'): Map<string, string[]> =>
  new Map(
    keysWhere((key) => has(`runtime/${key}/${file}`)).map((key) => [
      key,
      [
        ...textOf(`runtime/${key}/${file}`).matchAll(
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

  test('apps can import code of each capability, for their server or for their pages', () => {
    const [server, client] = [exportsOf('server.ts'), exportsOf('client.ts')]
    assert.deepEqual(
      keysWhere((key) => !server.has(key) && !client.has(key)),
      [],
    )
  })

  test("each server.ts and client.ts of a capability exports one value, except pay's client.ts, which also exports formatPrice", () => {
    const exports = [...exportsOf('server.ts'), ...exportsOf('client.ts')]
    assert.deepEqual(
      exports.filter(([, names]) => names.length !== 1),
      [['pay', ['formatPrice', 'pay']]],
    )
  })

  /** Pages import these from the module for browser code. */
  const NOT_FOR_COMPONENTS = ['assets', 'files']

  test('the browser code of each capability except files and assets can also be imported from the module for React components', () => {
    const react = textOf('runtime/react.ts')
    assert.deepEqual(
      [...exportsOf('client.ts').keys()]
        .filter((key) => !react.includes(` from './${key}/client`))
        .toSorted(),
      NOT_FOR_COMPONENTS,
    )
  })

  test('every capability with browser code has routes, except `call`, which uses the WebSockets of the capability `live`', () => {
    // What `call` sends goes through the sockets of `live`.
    const client = keysWhere((key) => key !== 'call' && exportsOf('client.ts').has(key))
    assert.deepEqual(
      client.filter((key) => !has(`runtime/${key}/mount.ts`)),
      [],
    )
  })

  test('a capability has routes if its guide mentions a path under /_app for it', () => {
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

  test('each capability whose operator routes ask the admin worker has an operator.ts that responds to them', () => {
    const routesOf = (key: CapabilityKey) => globSync(`server/capabilities/${key}/*.routes.ts`, { cwd: ROOT })
    const asking = keysWhere((key) =>
      routesOf(key).some((path) => textOf(path).includes('operatorEndpoint(')),
    )
    assert.ok(asking.includes('email'))
    assert.deepEqual(
      asking.filter((key) => !has(`runtime/${key}/operator.ts`)),
      [],
    )
  })

  test('the test app that uses every capability calls the server code of each, except hook, which receives webhook requests', () => {
    const code = [...everythingFiles().values()].join('\n')
    const uncalled = [...exportsOf('server.ts')].filter(
      ([, names]) => !names.some((name) => new RegExp(`[ (]${name}\\.\\w+[.(]`).test(code)),
    )
    assert.deepEqual(
      uncalled.map(([key]) => key),
      ['hook'],
    )
  })
})
