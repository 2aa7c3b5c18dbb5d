import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { queryKeys } from '../../api/query-keys.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { assertAlert, press, Refusal, serve, show } from '../../testing/console.tsx'
import { RunReplay } from './run-replay.tsx'

const LIST_EVENTS = 'GET /projects/prj_1/runs/run_1/events'
const run = { id: 'run_1', projectId: 'prj_1', sha: null } as BuildRun
const frames = [
  {
    type: 'run',
    run: 'run_1',
    ticketId: 'tkt_1',
    attempt: 1,
    trigger: 'queue',
    model: 'm',
    generatedBy: 'm',
    seq: 1,
  },
  { type: 'step', n: 1, limit: 60, seq: 2 },
  { type: 'delta', text: 'First <b>the form</b>.', seq: 3 },
]

describe('the steps of a build that has ended', () => {
  test('the steps of a finished build stay on screen when a refetch fails', async () => {
    const answers: unknown[] = [frames, new Refusal(403, 'forbidden', 'You may not.')]
    const calls = serve({ [LIST_EVENTS]: () => answers.shift() })
    show(<RunReplay run={run} />)
    await screen.findByRole('heading', { name: 'Step 1' })
    await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.runs.all }))
    await waitFor(() => assert.equal(calls[LIST_EVENTS]?.length, 2))
    assert.ok(screen.getByRole('heading', { name: 'Step 1' }))
  })

  test('when the steps of a finished build cannot be loaded, an alert offers a retry', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.'), frames]
    serve({ [LIST_EVENTS]: () => answers.shift() })
    show(<RunReplay run={run} />)
    await assertAlert(/You may not/)
    press('Try again')
    await screen.findByRole('heading', { name: 'Step 1' })
  })

  test('all events of a finished build are loaded in order, even when they need more than one request', async () => {
    const words = Array.from({ length: 997 }, (_, n) => ({ type: 'delta', text: 'x', seq: n + 4 }))
    const many = [...frames, ...words]
    const rest = [{ type: 'step', n: 2, limit: 60, seq: 1001 }]
    const calls = serve({ [LIST_EVENTS]: ({ query }) => (query.after === '0' ? many : rest) })
    show(<RunReplay run={run} />)
    await screen.findByRole('heading', { name: 'Step 2' })
    assert.deepEqual(
      calls[LIST_EVENTS]?.map(({ query }) => query.after),
      ['0', '1000'],
    )
  })
})
