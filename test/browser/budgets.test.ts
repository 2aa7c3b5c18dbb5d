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

test('the first view of the sign-in page is at most 180 kB', () => {
  const bytes = firstView('index.html', 'screens/sign-in/welcome-page.tsx', 'screens/sign-in/sign-in.tsx')
  assert.ok(bytes <= 180_000, `${bytes} bytes`)
})

test('the first view of the projects is at most 215 kB', () => {
  const bytes = firstView('index.html', 'shell/frame.tsx', 'screens/projects/projects.tsx')
  assert.ok(bytes <= 215_000, `${bytes} bytes`)
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
  // What follows the first view is there before any other screen (console/later.ts).
  const shell = firstView('index.html', 'shell/frame.tsx', 'later-parts.ts')
  const whole = firstView(
    'index.html',
    'shell/frame.tsx',
    'later-parts.ts',
    'screens/workspace/workspace.tsx',
    'screens/workspace/wide-panes.tsx',
  )
  assert.ok(whole - shell <= 120_000, `${whole - shell} bytes`)
})
