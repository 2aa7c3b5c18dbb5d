import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import { runQuery } from '../../api/project/builds.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { assertAlert, isShown, isThere, press, Refusal, serve, showAt } from '../../testing/console.tsx'
import { RunPage } from './run-page.tsx'

const PATH = '/projects/prj_1'
const READ = `GET ${PATH}/runs/run_1`
const EVENTS = `GET ${PATH}/runs/run_1/events`
const TICKET = `GET ${PATH}/tickets/tkt_1`
const RUN = {
  id: 'run_1',
  projectId: 'prj_1',
  ticketId: 'tkt_1',
  status: 'done',
  outcome: 'built',
  trigger: 'queue',
  createdAt: '2026-01-01T00:00:00Z',
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:12Z',
  checks: [],
  files: [],
  attempt: 2,
  model: 'gpt',
  usage: { input: 1500, output: 500, cacheRead: 1000, cacheWrite: 0 },
  costUsd: 0.42,
  sha: null,
  error: null,
}

async function openRun(run: () => unknown, answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [READ]: run,
    [EVENTS]: () => [],
    [TICKET]: () => ({ id: 'tkt_1', title: 'Sort <b>plants</b>' }),
    [`GET ${PATH}`]: () => ({ id: 'prj_1', name: 'Plants' }),
    [`GET ${PATH}/versions`]: () => [],
    ...answers,
  })
  await showAt('/app/projects/$projectId/runs/$runId', RunPage, `${PATH}/runs/run_1`)
  return calls
}
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const facts = () =>
  Array.from(document.querySelectorAll('dl > div'), (fact) => [
    fact.querySelector('dt')?.textContent,
    fact.querySelector('dd')?.textContent,
  ])

describe('the page of a build', () => {
  test('the page of a finished build shows its ticket, details such as model and duration, and its log', async () => {
    const calls = await openRun(() => RUN)
    await waitFor(() => assert.equal(heading(), 'Sort <b>plants</b>'))
    const named = Object.fromEntries(facts()) as Record<string, string>
    assert.deepEqual(
      [named['Model'], named['Duration'], named['Tokens'], named['Version'], named['Run']],
      [
        'gpt',
        '12 s',
        '2.0k · 1.5k read (1.0k of them from the cache), 500 written · about $0.42',
        undefined,
        'run_1',
      ],
    )
    assert.match(named['Started'] ?? '', / · from the queue · attempt 2$/)
    await waitFor(() => assert.equal(calls[EVENTS]?.length, 1))
  })

  test('a running build links to the workspace, and its log is read only after the build has ended', async () => {
    let run: object = { ...RUN, status: 'running', outcome: null, finishedAt: null }
    const calls = await openRun(() => run)
    const link = await screen.findByRole('link', { name: 'Watch it in the workspace' })
    assert.match(link.getAttribute('href') ?? '', /^\/projects\/prj_1\?.*ticket=tkt_1/)
    assert.deepEqual(calls[EVENTS], [])
    run = RUN
    await act(() => queryClient.refetchQueries({ queryKey: runQuery('prj_1', 'run_1').queryKey }))
    await waitFor(() => assert.equal(calls[EVENTS]?.length, 1))
    assert.equal(isShown('This build is running.'), false)
  })

  test('a build without its ticket has the title “Build”', async () => {
    await openRun(() => RUN, { [TICKET]: () => new Refusal(404, 'not_found', 'No such ticket.') })
    await waitFor(() => assert.ok(facts().length > 0))
    assert.equal(heading(), 'Build')
  })

  test('when a build cannot be loaded, its page shows the reason and offers a retry', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    await openRun(() => answer)
    await assertAlert(/The builds could not be read.*You may not/)
    answer = RUN
    press('Try again')
    await waitFor(() => assert.equal(heading(), 'Sort <b>plants</b>'))
  })

  test('the page of a build that does not exist says that it was not found', async () => {
    const calls = await openRun(() => new Refusal(404, 'not_found', 'No such build.'))
    await waitFor(() => assert.equal(heading(), 'Not found'))
    // A retry would not help, so no load error is shown. No log is read.
    assert.equal(isShown('The builds could not be read'), false)
    assert.equal(isThere('button', 'Try again'), false)
    assert.equal(calls[READ]?.length, 1)
    assert.deepEqual(calls[EVENTS], [])
  })
})
