import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { buildConsole } from '../../scripts/console-build.ts'
import { firstFiles, firstView } from '../support/first-view.ts'

describe('the download size of pages', () => {
  before(() => buildConsole())

  test('the first load of the sign-in page downloads at most 180 kB', () => {
    const bytes = firstView('index.html', 'screens/sign-in/welcome-page.tsx', 'screens/sign-in/sign-in.tsx')
    assert.ok(bytes <= 180_000, `${bytes} bytes`)
  })

  test('the first load of the projects page downloads at most 215 kB', () => {
    const bytes = firstView('index.html', 'shell/app-shell.tsx', 'screens/projects/projects.tsx')
    assert.ok(bytes <= 215_000, `${bytes} bytes`)
  })

  test('the first load of the projects page needs at most 15 file downloads', () => {
    assert.ok(firstFiles('index.html', 'shell/app-shell.tsx', 'screens/projects/projects.tsx') <= 15)
  })

  // The files that the console loads on every page: its first view and the parts deferred after it (console/deferred.ts).
  const SHELL = ['index.html', 'shell/app-shell.tsx', 'deferred-parts.ts']
  const addedBytes = (...entries: string[]) => firstView(...SHELL, ...entries) - firstView(...SHELL)

  test("the source code and the version comparison page each download at most 150 kB beyond the console's first load", () => {
    const reading = ['screens/code/code.tsx', 'editor/code-editor.tsx'] as const
    const comparing = ['screens/versions/versions.tsx', 'editor/diff-editor.tsx'] as const
    for (const page of [reading, comparing]) {
      const bytes = addedBytes(...page)
      assert.ok(bytes <= 150_000, `${page[0]}: ${bytes} bytes`)
      // Syntax highlighting is loaded after the text, with the grammar of the open file only.
      for (const language of ['typescript', 'tsx', 'css', 'html', 'json', 'markdown']) {
        const grammar = addedBytes(...page, `editor/grammars/${language}.ts`) - bytes
        assert.ok(grammar > 0 && grammar <= 60_000, `${language}: ${grammar} bytes`)
      }
    }
  })

  test('the project workspace downloads at most 120 kB beyond the first load of the console', () => {
    const bytes = addedBytes('screens/workspace/workspace.tsx', 'screens/workspace/wide-panes.tsx')
    assert.ok(bytes <= 120_000, `${bytes} bytes`)
  })

  test('the chat with the planning agent, with its Markdown, downloads at most 165 kB beyond the workspace', () => {
    const workspace = ['deferred-parts.ts', 'screens/workspace/workspace.tsx'] as const
    const bytes =
      addedBytes(...workspace, 'screens/plan/plan-pane.tsx', 'ui/markdown/markdown-view.tsx') -
      addedBytes(...workspace)
    assert.ok(bytes <= 165_000, `${bytes} bytes`)
  })
})
