import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import type { CheckRow } from '../../../state/builds/build-state.ts'
import { show } from '../../../testing/console.tsx'
import { ChecksCard } from './checks-card.tsx'

type Problem = CheckRow['errors'][number]

const problem = (part: Partial<Problem> = {}): Problem =>
  ({
    phase: 'types',
    code: 'TS2304',
    file: 'web/app.tsx',
    line: 3,
    column: 7,
    message: 'Cannot find name x.',
    excerpt: null,
    ...part,
  }) as Problem
const check = (phase: string, part: Partial<CheckRow> = {}): CheckRow => ({
  phase,
  ok: true,
  ms: 320,
  errorCount: 0,
  errors: [],
  ...part,
})
const red = (...errors: Problem[]) => check('types', { ok: false, errorCount: errors.length, errors })

const SOURCE = { projectId: 'prj_1', sha: 'abc1234', changed: [] }
const showCard = (checks: CheckRow[], source: Parameters<typeof ChecksCard>[0]['source'] = SOURCE) =>
  show(<ChecksCard checks={checks} source={source} />)
const phases = () =>
  Array.from(screen.getAllByRole('list')[0]?.children ?? [], (row) =>
    Array.from(row.querySelectorAll('span'), (part) => part.textContent),
  )
/** The problems: place, link, message and excerpt. */
const problems = () =>
  screen
    .getAllByRole('list')
    .slice(1)
    .flatMap((list) =>
      Array.from(list.children, (row) => [
        row.querySelector('code')?.textContent ?? null,
        row.querySelector('a')?.getAttribute('href') ?? null,
        row.querySelector('p')?.textContent ?? null,
        row.querySelector('pre')?.textContent ?? null,
      ]),
    )

describe('the checks of a build', () => {
  test("each phase of a build's check shows whether it passed, its problem count and its duration", () => {
    showCard([
      check('manifest'),
      check('types', { ok: false, errorCount: 2, ms: 1200 }),
      check('boot', { ok: false }),
      check('unheard_of'),
    ])
    assert.deepEqual(phases(), [
      ['Manifest', 'passed', '320 ms'],
      ['Types', '2 problems', '1.2 s'],
      ['Boot', '1 problem', '320 ms'],
      ['unheard_of', 'passed', '320 ms'],
    ])
  })

  test('a check problem of a build links to its line in the checked version, and shows markup as text', () => {
    showCard([red(problem({ message: '<b>not</b> found', excerpt: 'const <x>' }))])
    assert.deepEqual(problems(), [
      [
        'web/app.tsx:3:7',
        '/projects/prj_1/code?path=web%2Fapp.tsx&sha=abc1234#L3',
        '<b>not</b> found',
        'const <x>',
      ],
    ])
  })

  test('a check problem of a whole file is shown without a line, and one of the whole app without a file', () => {
    showCard([
      red(problem({ line: 0, column: 0 }), problem({ file: '', line: 0, column: 0, message: 'No page.' })),
    ])
    assert.deepEqual(problems(), [
      ['web/app.tsx', '/projects/prj_1/code?path=web%2Fapp.tsx&sha=abc1234', 'Cannot find name x.', null],
      [null, null, 'No page.', null],
    ])
  })

  test('a changed file without a commit has no link, because the file is not stored', () => {
    const changed = [{ path: 'web/app.tsx', op: 'edit', added: 1, removed: 0 } as const]
    showCard([red(problem(), problem({ file: 'web/home.tsx' }))], { ...SOURCE, sha: null, changed })
    assert.deepEqual(
      problems().map(([place, to]) => [place, to]),
      [
        ['web/app.tsx:3:7', null],
        ['web/home.tsx:3:7', '/projects/prj_1/code?path=web%2Fhome.tsx#L3'],
      ],
    )
  })

  test('the problems of the next check replace all earlier problems, even several in one line of code', () => {
    const at = (...columns: number[]) => [red(...columns.map((column) => problem({ column })))]
    const { rerender } = showCard(at(1, 5, 9))
    assert.deepEqual(
      problems().map(([place]) => place),
      ['web/app.tsx:3:1', 'web/app.tsx:3:5', 'web/app.tsx:3:9'],
    )
    rerender(<ChecksCard checks={[red(problem({ line: 4 }), problem({ column: 2 }))]} source={SOURCE} />)
    assert.deepEqual(
      problems().map(([place]) => place),
      ['web/app.tsx:4:7', 'web/app.tsx:3:2'],
    )
  })
})
