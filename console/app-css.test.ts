import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = import.meta.dirname
/** The entry files of the components that are on the first screen, or appear right after it. */
const FIRST_VIEWS = [
  'main.tsx',
  'shell/app-shell.tsx',
  'shell/navigation/account-menu.tsx',
  'shell/organizations/switcher.tsx',
  'shell/navigation/search-button.tsx',
  'screens/projects/projects.tsx',
  'screens/sign-in/welcome-page.tsx',
  'screens/sign-in/sign-in.tsx',
  'screens/sign-in/passkey-button.tsx',
  'screens/sign-in/sign-up.tsx',
]

function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(join(ROOT, file))) return found
  found.add(file)
  const source = readFileSync(join(ROOT, file), 'utf8')
  for (const [, from = ''] of source.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)'/gm))
    withImports(join(dirname(file), from), found)
  return found
}

test('the first stylesheet, app.css, has the styles of exactly those components that the first pages import', () => {
  const sheet = readFileSync(join(ROOT, 'app.css'), 'utf8')
  const named = [...sheet.matchAll(/@source '\.\/([^']+)'/g)].map(([, glob = '']) => glob)
  const listed = new Set(named.flatMap((glob) => globSync(glob, { cwd: ROOT })))
  const parts = new Set<string>()
  for (const view of FIRST_VIEWS) withImports(view, parts)
  const needed = [...parts].filter((file) => file.endsWith('.tsx') && file !== 'main.tsx')
  assert.deepEqual([...listed].sort(), needed.sort())
})
