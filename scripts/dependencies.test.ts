import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './lib.ts'

const WORKSPACES = ['root', 'server', 'local', 'runtime', 'sdk', 'console']
const OWN_PACKAGE = /^@slipway\//
/** Packages of types and test tools, which no build contains. */
const TOOLS = /^@(types|testing-library|happy-dom)\//

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/**
 * The packages that a workspace needs at run time. The console's packages count although they are devDependencies, because its build
 * contains them.
 */
function packagesOf(workspace: string): string[] {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readText(workspace === 'root' ? 'package.json' : `${workspace}/package.json`),
  ) as Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
  const names = Object.keys({ ...dependencies, ...(workspace === 'console' && devDependencies) })
  return names.filter((name) => !OWN_PACKAGE.test(name) && !TOOLS.test(name))
}

test('docs/dependencies.md lists every package of each package.json, and no other package', () => {
  const wanted = WORKSPACES.flatMap((workspace) =>
    packagesOf(workspace).map((name) => `${workspace}: ${name}`),
  )
  const rows = readText('docs/dependencies.md').matchAll(/^\| `([^`]+)` +\| ([\w, ]+?) +\|/gm)
  const listed = [...rows].flatMap(([, name, users = '']) =>
    users.split(', ').map((user) => `${user}: ${name}`),
  )
  assert.deepEqual(listed.toSorted(), wanted.toSorted())
})
