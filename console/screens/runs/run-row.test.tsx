import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { Refusal, serve, show, untilSent } from '../../testing/console.tsx'
import { RunRow } from './run-row.tsx'

const TICKET = 'GET /projects/prj_1/tickets/tkt_1'
const RUN = {
  id: 'run_1',
  projectId: 'prj_1',
  ticketId: 'tkt_1',
  status: 'done',
  outcome: 'built',
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  startedAt: null,
  finishedAt: null,
  checks: [],
  files: [],
  attempt: 1,
  model: 'gpt',
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  error: null,
} as unknown as BuildRun

function showRow(
  part: object = {},
  ticket: () => unknown = () => ({ id: 'tkt_1', title: 'Sort <b>plants</b>' }),
) {
  serve({ [TICKET]: ticket })
  show(<RunRow run={{ ...RUN, ...part }} />)
}
/** The parts of the second line. */
const details = () =>
  Array.from(screen.getByRole('link').children[1]?.children ?? [], (part) => part.textContent)
const title = () => screen.getByRole('link').firstElementChild?.firstElementChild?.textContent

describe('a build in the list of builds', () => {
  test('a build in the list of builds links to its page and has the title of its ticket, with markup shown as text', async () => {
    showRow()
    assert.equal(title(), 'A ticket')
    await waitFor(() => assert.equal(title(), 'Sort <b>plants</b>'))
    assert.equal(screen.getByRole('link').getAttribute('href'), '/projects/prj_1/runs/run_1')
  })

  test('a build in the list of builds that has not started shows only when it was requested and its model', () => {
    showRow({ status: 'queued' })
    assert.deepEqual(details(), ['1 hour ago', 'gpt'])
  })

  test('a build in the list of builds shows how long it took, its tokens, checks, changed lines and attempts', () => {
    showRow({
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:02:04Z',
      usage: { input: 12_000, output: 400, cacheRead: 0, cacheWrite: 0 },
      checks: [
        { name: 'types', ok: true },
        { name: 'lint', ok: true },
      ],
      files: [
        { path: 'a.ts', added: 3, removed: 1 },
        { path: 'b.ts', added: 0, removed: 4 },
      ],
      attempt: 2,
    })
    assert.deepEqual(details().slice(1), [
      '2 min 4 s',
      '12.4k tokens',
      '2 checks passed',
      '2 files+3−5',
      'attempt 2',
      'gpt',
    ])
  })

  test('a failed build in the list of builds shows its error, even when its ticket is gone', async () => {
    showRow(
      {
        status: 'failed',
        error: { kind: 'stuck', message: 'The same fix again.' },
        checks: [{ name: 'types', ok: false }],
      },
      () => new Refusal(404, 'not_found', 'No such ticket.'),
    )
    await untilSent()
    assert.equal(title(), 'A ticket')
    assert.deepEqual(details().slice(1), ['red: Types', 'gpt'])
    assert.equal(screen.getByRole('link').lastElementChild?.textContent, 'The same fix again.')
  })
})
