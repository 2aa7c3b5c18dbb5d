import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Version } from '@slipway/sdk/client/types.gen.ts'
import { useLocation } from '@tanstack/react-router'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
} from '../../testing/console.tsx'
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
  test("the page of a project's first version says that it is the first, and that files common to all apps are not listed", async () => {
    await renderVersionPage(first, null)
    await screen.findByRole('heading', { name: /^First version: 1 file/ })
    assert.ok(isShown(/own files\. Those that every app has are not listed/))
    assert.ok(screen.getByRole('option', { name: 'Nothing: this is the first version' }))
  })

  test('the page of a later version shows how many files it changed', async () => {
    await renderVersionPage(second, first)
    await screen.findByRole('heading', { name: /^1 file changed/ })
    assert.ok(screen.getByRole('option', { name: 'The version before it' }))
  })
})

describe('comparing and reverting a version on its page', () => {
  const third = 'c'.repeat(40)
  const titled = (sha: string, message: string, current = false): Version => ({
    ...versionOf(sha, current),
    message,
    ticketId: 'tkt_1',
    runId: 'run_1',
  })
  const ALL = [
    titled(third, 'Sort plants\n\nBy name.\nBy age.', true),
    titled(second, 'List plants'),
    titled(first, 'Keep plants'),
  ]
  const diffOf = (base: string | null, path: string) => ({
    sha: third,
    base,
    files: [{ ...file, path }],
  })

  /** Opens the page of a version at its address, which a test can change. `diffs` has the differences by their base. */
  async function openVersion(search: string, answers: Record<string, () => unknown> = {}) {
    const calls = serve({
      'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Plants', lifecycle: 'active' }),
      'GET /projects/prj_1/versions': () => ALL,
      [`GET /projects/prj_1/versions/${third}/diff`]: ({ query }) =>
        query['base'] === first ? diffOf(first, 'since-first.ts') : diffOf(second, 'since-before.ts'),
      [`GET /projects/prj_1/versions/${second}/diff`]: () => diffOf(first, 'second.ts'),
      ...answers,
    })
    function Page() {
      const query = new URLSearchParams(useLocation().searchStr)
      return (
        <VersionPage projectId="prj_1" sha={query.get('sha') ?? ''} base={query.get('base') ?? undefined} />
      )
    }
    const page = await showAt('/app/projects/$projectId/versions', Page, `/projects/prj_1/versions?${search}`)
    return {
      ...page,
      calls,
      diffs: () => calls[`GET /projects/prj_1/versions/${third}/diff`]?.map(({ query }) => query),
    }
  }
  const baseField = () => screen.getByLabelText<HTMLSelectElement>('Compared with')

  test("a version page is found by the beginning of the version's id, and shows its title, message, ticket and build", async () => {
    await openVersion('sha=ccccccc')
    assert.ok(await screen.findByRole('heading', { name: 'Sort plants', level: 1 }))
    assert.ok(isShown(/^By name\.\s+By age\.$/))
    assert.match(screen.getByRole('link', { name: 'Ticket' }).getAttribute('href') ?? '', /ticket=tkt_1/)
    assert.match(screen.getByRole('link', { name: 'Build run' }).getAttribute('href') ?? '', /run_1$/)
    assert.ok(!isThere('button', /^Go back/), 'the newest version cannot be reverted to')
    assert.equal(
      screen.getByRole('link', { name: 'Browse code' }).getAttribute('href'),
      '/projects/prj_1/code',
      'the code of the newest version has no id in its address',
    )
  })

  test('choosing another version to compare with changes the URL and shows the files that differ from it', async () => {
    const { place, diffs } = await openVersion('sha=ccccccc')
    assert.ok(await screen.findByText('since-before.ts'))
    assert.deepEqual(
      Array.from(baseField().options, (option) => option.textContent),
      ['The version before it', 'bbbbbbb List plants', 'aaaaaaa Keep plants'],
    )
    fireEvent.change(baseField(), { target: { value: first } })
    assert.ok(await screen.findByText('since-first.ts'))
    assert.ok(!isShown('since-before.ts'))
    assert.match(place(), new RegExp(`base=${first}`))
    assert.deepEqual(diffs(), [{}, { base: first }])
  })

  test('a URL that compares a version with itself, or with an unknown one, compares it with the previous version', async () => {
    for (const base of ['ccccccc', 'fffffff']) {
      const { diffs } = await openVersion(`sha=ccccccc&base=${base}`)
      assert.ok(await screen.findByText('since-before.ts'))
      assert.equal(baseField().value, '')
      assert.deepEqual(diffs(), [{}])
      cleanup()
      queryClient.clear()
    }
  })

  test('a comparison of versions that cannot be loaded shows the request id and can be loaded again', async () => {
    const responses: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await openVersion('sha=ccccccc', {
      [`GET /projects/prj_1/versions/${third}/diff`]: () =>
        responses.shift() ?? diffOf(second, 'since-before.ts'),
    })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await screen.findByText('since-before.ts'))
    assert.ok(!isThere('alert'))
  })

  test('when the versions cannot be loaded, a version page shows the reason, and not that the version does not exist', async () => {
    await openVersion('sha=ccccccc', {
      'GET /projects/prj_1/versions': () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    await assertAlert(/You may not.*req_test/)
    assert.ok(!isShown('This version does not exist'))
  })

  test('the page of an unknown version leads back to the list of versions', async () => {
    await openVersion('sha=fffffff')
    assert.ok(await screen.findByRole('heading', { name: 'This version does not exist' }))
    assert.equal(
      screen.getByRole('link', { name: 'Open the versions' }).getAttribute('href'),
      '/projects/prj_1/versions',
    )
  })

  test('reverting to an earlier version from its page opens the list of versions', async () => {
    const { place } = await openVersion('sha=bbbbbbb', {
      [`POST /projects/prj_1/versions/${second}/revert`]: () => ({ sha: 'ddddddd444', restored: second }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Go back to this version: bbbbbbb' }))
    await screen.findByRole('dialog', { name: 'Go back to bbbbbbb?' })
    const confirm = await screen.findByRole('button', { name: 'Go back to bbbbbbb' })
    await untilSent()
    fireEvent.click(confirm)
    await findMessage('The code is back at bbbbbbb. The preview follows.')
    await waitFor(() => assert.equal(place(), '/projects/prj_1/versions'))
  })
})
