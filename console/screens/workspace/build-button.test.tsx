import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue, Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { waitFor } from '@testing-library/react'
import { queueQuery } from '../../api/project/queue.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { currentCommands } from '../../shell/palette/commands.ts'
import { button, press, serve, show } from '../../testing/console.tsx'
import { BuildButton } from './build-button.tsx'

const project = { id: 'prj_1' } as Project
const build = { state: 'idle', runId: null, outcome: null, refused: null } as const
const ticket = { id: 'tkt_1', title: 'Add notes', type: 'task', build } as Ticket
const busyQueue: BuildQueue = { running: { ticketId: 'tkt_2', title: 'Other', runId: 'run_1' }, queued: [] }
const START_BUILD = 'POST /projects/prj_1/tickets/tkt_1/build'
const ADD_TO_QUEUE = 'POST /projects/prj_1/build/queue'

function renderBuildButton(chosen: Ticket | null, queue: BuildQueue = { running: null, queued: [] }) {
  const places: unknown[] = []
  const calls = serve({
    [START_BUILD]: () => new Promise(() => {}),
    [ADD_TO_QUEUE]: () => ({ queued: [{ ticketId: 'tkt_1', position: 1 }], skipped: [] }),
  })
  queryClient.setQueryData(queueQuery('prj_1').queryKey, queue)
  const { unmount } = show(
    <BuildButton project={project} ticket={chosen} go={(place) => places.push(place)} />,
  )
  return { unmount, places, made: (call: string) => calls[call]?.length }
}
const buildCommand = () => currentCommands().find(({ id }) => id === 'build')

describe('the Build button', () => {
  test('when no ticket is open the Build button stays focusable, says to choose one, and does nothing', () => {
    const { places, made } = renderBuildButton(null)
    assert.equal(button('Build').getAttribute('aria-description'), 'Choose a ticket to build')
    press('Build')
    assert.deepEqual([places, made(START_BUILD)], [[], 0])
  })

  test('while another ticket is being built, the Build button queues the current ticket and opens its build tab', async () => {
    const { places, made } = renderBuildButton(ticket, busyQueue)
    press('Add to queue')
    await waitFor(() => assert.equal(made(ADD_TO_QUEUE), 1))
    assert.deepEqual([places, made(START_BUILD)], [[{ ticket: 'tkt_1', tab: 'build', pane: 'work' }], 0])
  })

  test("when a build waits for the user's answers, the Build button opens the questions and starts no build", () => {
    const { places, made } = renderBuildButton({
      ...ticket,
      build: { ...build, state: 'awaiting', runId: 'run_1' },
    })
    press('Answer')
    assert.deepEqual([places.length, made(START_BUILD), made(ADD_TO_QUEUE)], [1, 0, 0])
  })

  test('the command palette offers the action of the Build button while the button is on screen', () => {
    const { unmount } = renderBuildButton(ticket, busyQueue)
    assert.deepEqual([buildCommand()?.words, buildCommand()?.reason], ['Add to queue: Add notes', null])
    unmount()
    assert.equal(buildCommand(), undefined)
  })
})
