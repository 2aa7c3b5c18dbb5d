import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { versionsQuery } from '../../api/project/versions.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  write,
} from '../../testing/console.tsx'
import { Code } from './code.tsx'

const PROJECT = '/projects/prj_1'
const versionOf = (sha: string, current: boolean) => ({
  sha,
  current,
  message: 'Build',
  author: 'Ada',
  createdAt: '2026-01-01T00:00:00Z',
  files: 2,
})
const NEWEST = versionOf('aaaaaaa111', true)
const FIRST = versionOf('bbbbbbb222', false)
const FILES = { 'web/app.tsx': 'const a = 1\nconst b = 2\n', 'app.json': '{}', 'empty.txt': '' }

async function openCode(search = '', answers: Record<string, () => unknown> = {}) {
  serve({
    [`GET ${PROJECT}`]: () => ({ id: 'prj_1', name: 'Plants', slug: 'plants' }),
    [`GET ${PROJECT}/versions`]: () => [NEWEST, FIRST],
    [`GET ${PROJECT}/source`]: () => ({ files: FILES, generatedBy: null }),
    [`GET ${PROJECT}/versions/${FIRST.sha}/diff`]: () => ({
      sha: FIRST.sha,
      base: NEWEST.sha,
      files: [
        { path: 'app.json', status: 'removed', added: 0, removed: 1, before: '{}', after: null },
        { path: 'large.json', status: 'added', added: 9, removed: 0, before: null, after: null },
      ],
    }),
    ...answers,
  })
  return showAt('/app/projects/$projectId/code', Code, `${PROJECT}/code${search}`)
}
const fileName = () => screen.getByRole('heading', { level: 2 }).textContent
const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

describe('the code of an app', () => {
  let isWide = true
  beforeEach(() => {
    isWide = true
    mock.method(globalThis, 'matchMedia', (query: string) => ({
      matches: query.includes('min-width') && isWide,
      addEventListener() {},
      removeEventListener() {},
    }))
    // happy-dom has no layout. Without this height the tree would show no row.
    mock.getter(HTMLElement.prototype, 'clientHeight', () => 600)
  })
  afterEach(() => mock.restoreAll())

  test('choosing a file in the file tree opens it and shows its number of lines and its size', async () => {
    const { place } = await openCode()
    assert.ok(await screen.findByText('Choose a file'))
    fireEvent.click(screen.getByTitle('web/app.tsx'))
    await waitFor(() => assert.equal(fileName(), 'web/app.tsx'))
    assert.equal(place(), `${PROJECT}/code?path=web%2Fapp.tsx`)
    assert.ok(isShown('2 lines · 24 B'))
  })

  test('an empty file has 0 lines and says that it is empty', async () => {
    await openCode('?path=empty.txt')
    assert.ok(await screen.findByText('This file is empty.'))
    assert.ok(isShown('0 lines · 0 B'))
  })

  test('a typed line number leads to that line of the open file, and invalid input changes nothing', async () => {
    const { place } = await openCode('?path=web%2Fapp.tsx#L1')
    await screen.findByLabelText('Go to line')
    const goTo = (typed: string) => {
      write('Go to line', typed)
      fireEvent.submit(field('Go to line').form ?? document.body)
      return [place().split('#')[1], field('Go to line').value]
    }
    assert.deepEqual(goTo('L2'), ['L2', ''])
    assert.deepEqual(goTo('0'), ['L2', ''])
    assert.deepEqual(goTo('x'), ['L2', ''])
  })

  test('a file that is not in the version is reported, with links to all files and to the versions', async () => {
    await openCode('?path=web%2Fgone.tsx')
    assert.ok(await screen.findByText('web/gone.tsx is not in this version'))
    assert.deepEqual(links().slice(-2), [
      ['All files', `${PROJECT}/code`],
      ['Open the versions', `${PROJECT}/versions`],
    ])
  })

  test('the code page of an earlier version shows its own files, and links to the newest version and to its own changes', async () => {
    await openCode('?sha=bbbbbbb')
    assert.ok(await screen.findByText('As it was in version bbbbbbb.', { exact: false }))
    assert.deepEqual(
      screen.getAllByRole('treeitem').map((row) => row.title),
      ['web/', 'web/app.tsx', 'empty.txt', 'large.json'],
    )
    assert.deepEqual(
      links().filter(([, to]) => to?.startsWith(`${PROJECT}/`)),
      [
        ['Go to the newest', `${PROJECT}/code`],
        ['What it changed', `${PROJECT}/versions?sha=bbbbbbb222`],
      ],
    )
  })

  test('a source file without returned content cannot be copied, and the code page says that the content is missing', async () => {
    await openCode('?sha=bbbbbbb&path=large.json')
    assert.ok(await screen.findByText(/^The content was left out/))
    assert.equal(isThere('button', 'Copy the content'), false)
  })

  test('the code page says when a version does not exist and when a project has no versions', async () => {
    await openCode('?sha=ccccccc')
    assert.ok(await screen.findByText('This version does not exist'))
    cleanup()
    queryClient.clear()
    await openCode('', { [`GET ${PROJECT}/versions`]: () => [] })
    assert.ok(await screen.findByText('Nothing is built yet'))
  })

  test('when the files of a version cannot be loaded, an alert shows the reason and offers a retry', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    await openCode('', { [`GET ${PROJECT}/source`]: () => answer })
    await assertAlert(/You may not/)
    answer = { files: FILES, generatedBy: null }
    press(/again/i)
    assert.ok(await screen.findByText('Choose a file'))
  })

  test('when a build adds a version, the code page keeps the old files until the new ones are loaded, and keeps the filter', async () => {
    let versions = [NEWEST, FIRST]
    let source: unknown = { files: FILES, generatedBy: null }
    await openCode('?path=app.json', {
      [`GET ${PROJECT}/versions`]: () => versions,
      [`GET ${PROJECT}/source`]: () => source,
    })
    await screen.findByRole('tree')
    write('Filter files', 'json')
    const { promise, resolve } = Promise.withResolvers<object>()
    source = promise
    versions = [versionOf('ddddddd333', true), { ...NEWEST, current: false }, FIRST]
    await act(() => queryClient.refetchQueries({ queryKey: versionsQuery('prj_1').queryKey }))
    const shown = () => [
      field('Filter files').value,
      fileName(),
      screen.getAllByRole('treeitem').map((row) => row.title),
    ]
    assert.deepEqual(shown(), ['json', 'app.json', ['app.json']])
    await act(async () => resolve({ generatedBy: null, files: { ...FILES, 'new.json': '{}' } }))
    await waitFor(() => assert.deepEqual(shown(), ['json', 'app.json', ['app.json', 'new.json']]))
  })

  test('a version that a build adds while files are loaded does not replace the files of the version that the URL names', async () => {
    const added = versionOf('ddddddd333', true)
    let versions = [NEWEST, FIRST]
    await openCode('?sha=aaaaaaa&path=app.json', {
      [`GET ${PROJECT}/versions`]: () => versions,
      [`GET ${PROJECT}/source`]: () => {
        versions = [added, { ...NEWEST, current: false }, FIRST]
        return { generatedBy: null, files: { ...FILES, 'app.json': '{"newer": true}', 'new.json': '{}' } }
      },
      [`GET ${PROJECT}/versions/${NEWEST.sha}/diff`]: () => ({
        sha: NEWEST.sha,
        base: added.sha,
        files: [
          { path: 'app.json', status: 'modified', added: 1, removed: 1, before: '', after: '{}' },
          { path: 'new.json', status: 'removed', added: 0, removed: 1, before: '{}', after: null },
        ],
      }),
    })
    assert.ok(await screen.findByText('As it was in version aaaaaaa.', { exact: false }))
    await waitFor(() => assert.ok(isShown('1 line · 2 B')))
    assert.equal(
      screen.getAllByRole('treeitem').some((row) => row.title === 'new.json'),
      false,
    )
  })

  test('in a narrow window the code page shows either the tree or the file, and focuses the name of an opened file', async () => {
    isWide = false
    const { go } = await openCode()
    await screen.findByRole('tree')
    assert.equal(isShown('Choose a file'), false)
    await go(`${PROJECT}/code?path=app.json`)
    await waitFor(() => assert.equal(fileName(), 'app.json'))
    assert.equal(isThere('tree'), false)
    assert.ok(document.activeElement === screen.getByRole('heading', { level: 2 }))
    assert.equal(screen.getByRole('link', { name: 'All files' }).getAttribute('href'), `${PROJECT}/code`)
  })
})
