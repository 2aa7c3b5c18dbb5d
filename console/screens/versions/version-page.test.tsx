import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Version } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { isShown, serve, showAt } from '../../testing/console.tsx'
import { VersionPage } from './version-page.tsx'

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]
const versionOf = (sha: string, current: boolean): Version => ({
  sha,
  message: 'Keeps plants',
  ticketId: null,
  runId: null,
  author: 'Ada',
  createdAt: '2026-11-20T10:00:00.000Z',
  files: 501,
  current,
})
const file = { path: 'app.json', status: 'added', added: 1, removed: 0, before: null, after: '{}\n' }

async function renderVersionPage(sha: string, base: string | null) {
  serve({
    'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Plants' }),
    'GET /projects/prj_1/versions': () => [versionOf(second, true), versionOf(first, false)],
    [`GET /projects/prj_1/versions/${sha}/diff`]: () => ({ sha, base, files: [file] }),
  })
  await showAt(
    '/app/projects/$projectId/versions',
    () => <VersionPage projectId="prj_1" sha={sha} base={undefined} />,
    '/projects/prj_1/versions',
  )
}

describe('the page of a version', () => {
  test('the page of the first version says that it is the first, and that files common to all apps are not listed', async () => {
    await renderVersionPage(first, null)
    await screen.findByRole('heading', { name: /^First version: 1 file/ })
    assert.ok(isShown(/own files\. Those that every app has are not listed/))
    assert.ok(screen.getByRole('option', { name: 'Nothing: this is the first version' }))
  })

  test('a later version shows how many files it changed', async () => {
    await renderVersionPage(second, first)
    await screen.findByRole('heading', { name: /^1 file changed/ })
    assert.ok(screen.getByRole('option', { name: 'The version before it' }))
  })
})
