import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildConsole } from '../../scripts/console-build.ts'

const DIST = join(import.meta.dirname, '../../console/dist')

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

before(() => buildConsole())

/** What a browser must have before a screen stands: its chunks, all they import, and their styles. */
function firstView(...entries: string[]): number {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const files = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    assert.ok(chunk, `${key} is in the manifest`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length,
    0,
  )
}

test('the first view of the sign-in page is at most 195 kB', () => {
  const bytes = firstView('index.html', 'screens/sign-in/welcome-page.tsx', 'screens/sign-in/sign-in.tsx')
  assert.ok(bytes <= 195_000, `${bytes} bytes`)
})

test('the first view of the projects is at most 225 kB', () => {
  const bytes = firstView('index.html', 'shell/frame.tsx', 'screens/projects/projects.tsx')
  assert.ok(bytes <= 225_000, `${bytes} bytes`)
})

const SHELL = ['index.html', 'shell/frame.tsx']
const added = (...entries: string[]) => firstView(...SHELL, ...entries) - firstView(...SHELL)

test('reading code and comparing versions add at most 150 kB each before the text stands', () => {
  const reading = ['screens/code/code.tsx', 'editor/code-editor.tsx'] as const
  const comparing = ['screens/versions/versions.tsx', 'editor/diff-editor.tsx'] as const
  for (const page of [reading, comparing]) {
    const bytes = added(...page)
    assert.ok(bytes <= 150_000, `${page[0]}: ${bytes} bytes`)
    // Colours follow when the text is there already, and only the grammar of the file that is open.
    for (const language of ['typescript', 'tsx', 'css', 'html', 'json', 'markdown']) {
      const grammar = added(...page, `editor/grammars/${language}.ts`) - bytes
      assert.ok(grammar > 0 && grammar <= 60_000, `${language}: ${grammar} bytes`)
    }
  }
})

test('what the workspace adds is at most 120 kB', () => {
  const shell = firstView('index.html', 'shell/frame.tsx')
  const whole = firstView(
    'index.html',
    'shell/frame.tsx',
    'screens/workspace/workspace.tsx',
    'screens/workspace/wide-panes.tsx',
  )
  assert.ok(whole - shell <= 120_000, `${whole - shell} bytes`)
})
