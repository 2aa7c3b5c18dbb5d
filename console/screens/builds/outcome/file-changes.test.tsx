import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { assertAlert, isThere, press, Refusal, serve, show } from '../../../testing/console.tsx'
import { FileChanges } from './file-changes.tsx'

const DIFF = 'GET /projects/prj_1/versions/abc1234/diff'
const change = (path: string, part: object = {}) => ({
  path,
  status: 'modified',
  added: 1,
  removed: 1,
  before: 'const a = 1\n',
  after: 'const a = 2\n',
  ...part,
})

function showChanges(answer: () => unknown, ...paths: string[]) {
  const calls = serve({ [DIFF]: answer })
  const version = { projectId: 'prj_1', sha: 'abc1234' }
  show(
    <>
      {paths.map((path) => (
        <FileChanges key={path} version={version} path={path} />
      ))}
    </>,
  )
  return { reads: () => calls[DIFF]?.length }
}
const diffOf = (...files: object[]) => ({ sha: 'abc1234', base: 'base123', files })

describe('the changes of one file of a build', () => {
  test("a changed file of a build shows its new text and links to the whole file in the build's version", async () => {
    showChanges(() => diffOf(change('web/a & b.tsx')), 'web/a & b.tsx')
    const whole = await screen.findByRole('link', { name: 'Open the whole file' })
    const { pathname, searchParams } = new URL(whole.getAttribute('href') ?? '', location.href)
    assert.equal(pathname, '/projects/prj_1/code')
    assert.deepEqual(Object.fromEntries(searchParams), { path: 'web/a & b.tsx', sha: 'abc1234' })
    assert.ok(await screen.findByText(/const a = 2|a =/, {}, { timeout: 10_000 }))
  })

  test("a file that a build removed has no link, because the build's version does not contain it", async () => {
    showChanges(
      () => diffOf(change('web/old.tsx', { status: 'removed', after: null, before: null })),
      'web/old.tsx',
    )
    await screen.findByText(/^The content was left out/)
    assert.ok(!isThere('link'))
  })

  test('a file that a build wrote with the same content is shown as unchanged', async () => {
    showChanges(() => diffOf(change('web/other.tsx')), 'web/app.tsx')
    assert.ok(await screen.findByText('This file is the same in the version before.'))
    assert.ok(!isThere('link'))
  })

  test('two files that the same build changed are read with one request', async () => {
    const { reads } = showChanges(() => diffOf(change('a.ts'), change('b.ts')), 'a.ts', 'b.ts')
    await screen.findAllByRole('link', { name: 'Open the whole file' })
    assert.equal(screen.getAllByRole('link').length, 2)
    assert.equal(reads(), 1)
  })

  test('when the changes of a build cannot be read, the request id is shown and the user can retry', async () => {
    const responses: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    const { reads } = showChanges(() => responses.shift() ?? diffOf(change('a.ts')), 'a.ts')
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await screen.findByRole('link', { name: 'Open the whole file' }))
    assert.equal(reads(), 2)
    assert.ok(!isThere('alert'))
  })
})
