import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { screen } from '@testing-library/react'
import { assertAlert, press, Refusal, serve, show } from '../../testing/console.tsx'
import { HistoryPanel } from './history-panel.tsx'

const HISTORY = 'GET /projects/prj_1/history'
const event = (id: string, type: string, part: object = {}) => ({
  id,
  type,
  at: new Date().toISOString(),
  sha: null,
  runId: null,
  detail: null,
  ...part,
})

describe('the history of a project', () => {
  // happy-dom has no layout. Without these heights the list would show no row.
  beforeEach(() => {
    mock.getter(HTMLElement.prototype, 'clientHeight', () => 600)
    mock.getter(HTMLElement.prototype, 'offsetHeight', () => 600)
  })
  afterEach(() => mock.restoreAll())

  test('each history event shows what happened and when, its version and a link to its build, and shows markup as text', async () => {
    serve({
      [HISTORY]: () => [
        event('h1', 'built', { sha: 'abcdef123456', runId: 'run_1', detail: '<b>Sorted</b>' }),
        event('h2', 'renamed'),
      ],
    })
    show(<HistoryPanel projectId="prj_1" />)
    const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent)
    assert.deepEqual(rows, ['Builtjust nowabcdef1Open this build<b>Sorted</b>', 'Renamedjust now'])
    assert.deepEqual(
      screen.getAllByRole('link').map((link) => link.getAttribute('href')),
      ['/projects/prj_1/runs/run_1'],
    )
  })

  test('the history of a project says when it has no events, and offers a retry when it cannot be loaded', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    serve({ [HISTORY]: () => answer })
    show(<HistoryPanel projectId="prj_1" />)
    await assertAlert(/The history could not be read.*You may not/)
    answer = []
    press(/again/i)
    assert.ok(await screen.findByText('Nothing has happened yet'))
  })
})
