import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { assertAlert, isShown, isThere, press, Refusal, serve, show } from '../../../testing/console.tsx'
import { FilesCard } from './files-card.tsx'

type Props = ComponentProps<typeof FilesCard>

const FILES: Props['files'] = [
  { path: 'web/app.tsx', op: 'edit', added: 10, removed: 2 },
  { path: 'web/new.tsx', op: 'write', added: 5, removed: 0 },
  { path: 'web/old.tsx', op: 'delete', added: 0, removed: 30 },
]
const VERSION = { projectId: 'prj_1', sha: 'abc1234' }
const DIFF = 'GET /projects/prj_1/versions/abc1234/diff'

const showCard = (part: Partial<Props> = {}) => show(<FilesCard files={FILES} version={null} {...part} />)
const rows = () =>
  screen
    .getAllByRole('listitem')
    .map((row) => Array.from(row.querySelectorAll('code, span'), (one) => one.textContent))

describe('the files that a build changed', () => {
  test('each file that a build changed shows its path, operation and line counts, and the heading shows the totals', () => {
    showCard()
    assert.equal(screen.getByRole('heading', { level: 3 }).textContent, 'Files3+15−32')
    assert.deepEqual(
      rows().map(([path, operation, both]) => [path, operation, both]),
      [
        ['web/app.tsx', 'edited', '+10−2'],
        ['web/new.tsx', 'written', '+5−0'],
        ['web/old.tsx', 'deleted', '+0−30'],
      ],
    )
  })

  test('files of a build without a commit cannot be opened', () => {
    showCard()
    assert.deepEqual([isThere('button'), isThere('link')], [false, false])
  })

  test('changed files that the ticket does not mention are marked and counted', () => {
    showCard({ notNamed: new Set(['web/new.tsx']) })
    assert.ok(isShown(/does not name 1 of these files/))
    assert.deepEqual(
      rows().map((parts) => parts.includes('not in the ticket')),
      [false, true, false],
    )
  })

  test('the changes of a file that a build changed are loaded when it is opened, and a failed load can be retried', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    const calls = serve({ [DIFF]: () => answer })
    showCard({ version: VERSION })
    assert.deepEqual(calls[DIFF], [])
    press(/web\/app\.tsx/)
    await assertAlert(/You may not/)
    answer = { sha: 'abc1234', base: null, files: [] }
    press(/again/i)
    assert.ok(await screen.findByText('This file is the same in the version before.'))
    press(/web\/app\.tsx/)
    assert.equal(isShown('This file is the same in the version before.'), false)
    assert.equal(
      screen.getByRole('link', { name: 'Compare with other versions' }).getAttribute('href'),
      '/projects/prj_1/versions?sha=abc1234',
    )
  })
})
