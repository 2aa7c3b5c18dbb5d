import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { type BuildState, initialBuild } from '../../../state/builds/build-state.ts'
import {
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
} from '../../../testing/console.tsx'
import { BuildOutcome } from './outcome.tsx'

const PROJECT = { id: 'prj_1', name: 'Plants', lifecycle: 'offline' } as Project
const TICKET = {
  id: 'tkt_1',
  projectId: 'prj_1',
  title: 'Sort the plants',
  status: 'in_review',
  type: 'task',
  build: { runId: 'run_1', state: 'built' },
} as unknown as Ticket
const CHANGE = 'PATCH /projects/prj_1/tickets/tkt_1'

const SERVED = { 'GET /projects/prj_1/build/queue': () => ({ running: null, queued: [] }) }

function showOutcome(state: Partial<BuildState>, ticket: Partial<Ticket> = {}) {
  show(
    <BuildOutcome
      project={PROJECT}
      ticket={{ ...TICKET, ...ticket }}
      state={{ ...initialBuild, run: 'run_1', ...state }}
    />,
  )
}
const title = () => screen.getByRole('heading', { level: 3 }).textContent
const texts = () =>
  Array.from(
    document.querySelectorAll('section > div > p, section > div > div > p'),
    (one) => one.textContent,
  )
const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

describe('how a build ended', () => {
  test('a build that changed files shows its token counts and version, and offers to ship the app', () => {
    serve(SERVED)
    showOutcome({
      phase: 'built',
      summary: '  Plants are sorted.\n',
      files: [{ path: 'web/app.tsx', op: 'edit', added: 1, removed: 0 }],
      usage: { input: 1500, output: 500, cacheRead: 1000, cacheWrite: 0 },
      sha: 'abcdef1234567',
    })
    assert.equal(title(), 'Ready')
    assert.deepEqual(
      texts().filter((text) => text !== ''),
      [
        'Plants are sorted.',
        'Like what you see? Ship it to its own address.',
        'It is what you wanted: the ticket is done.',
        'This build used 2.0k tokens: 1.5k read (1.0k of them from the cache), 500 written.',
        'Version abcdef1',
      ],
    )
    assert.deepEqual(links(), [['abcdef1', '/projects/prj_1/versions?sha=abcdef1234567']])
  })

  test('a build without changes says so, and shows neither tokens nor a version', () => {
    serve(SERVED)
    showOutcome({ phase: 'built' }, { status: 'backlog' as Ticket['status'] })
    assert.equal(title(), 'Everything is green; nothing needed to change')
    assert.deepEqual(texts(), ['Like what you see? Ship it to its own address.'])
    assert.equal(isThere('button', 'Accept'), false)
  })

  test('the result of a build whose preview could not be published still says that the code is built and committed', () => {
    serve(SERVED)
    showOutcome({ phase: 'built', preview: { url: null, error: 'The account is full.' } })
    assert.equal(title(), 'Everything is green; nothing needed to change')
    assert.ok(
      isShown(
        'The code is built and committed, but the preview could not be published. The account is full.',
      ),
    )
  })

  test('a failed build explains its error, and links to the model settings only after a token limit or model error', () => {
    serve(SERVED)
    const fail = (kind: string) => {
      const error = { kind, message: '<b>boom</b>', retryable: true }
      showOutcome({ phase: 'failed', error })
      const shown = [texts()[0], isShown('<b>boom</b>'), links()]
      document.body.replaceChildren()
      return shown
    }
    const models = [['Models', '/settings/models']]
    assert.deepEqual(fail('budget'), [
      'A limit of tokens was reached. The files are kept as a draft, and building again continues from it.',
      true,
      models,
    ])
    assert.deepEqual(fail('model_error').slice(1), [true, models])
    assert.deepEqual(fail('stuck').slice(1), [true, []])
    assert.deepEqual(fail('unheard_of'), ['<b>boom</b>', true, []])
  })

  test('a failed build without an error message shows the id of the build run', () => {
    serve(SERVED)
    showOutcome({ phase: 'failed', error: null })
    assert.equal(title(), 'The build did not finish. Your app is as it was before.')
    assert.deepEqual(texts(), ['run_1'])
  })

  test('a reply of the built-in model links to the model settings, because a retry would get the same reply', () => {
    serve(SERVED)
    showOutcome({ phase: 'replied', message: 'I cannot do that.', summary: 'No.', model: 'scaffold-1' })
    assert.ok(isShown('I cannot do that.'))
    assert.deepEqual([links().map(([, to]) => to), isThere('button')], [['/settings/models'], false])
    document.body.replaceChildren()
    showOutcome(
      { phase: 'replied', summary: 'No.', model: 'other' },
      { status: 'planned' as Ticket['status'] },
    )
    assert.ok(isShown('No.'))
    assert.deepEqual(links(), [])
  })
})

describe('accepting what was built', () => {
  /** Shows the outcome of the ticket in the cache, as the page does. */
  function Live() {
    const ticket = useQuery({ ...ticketQuery('prj_1', 'tkt_1'), enabled: false }).data
    return ticket ? (
      <BuildOutcome project={PROJECT} ticket={ticket} state={{ ...initialBuild, phase: 'built' }} />
    ) : null
  }
  const setTicket = (ticket: object) =>
    act(async () => {
      queryClient.setQueryData(ticketQuery('prj_1', 'tkt_1').queryKey, { ...TICKET, ...ticket })
    })
  const showLive = async (change: () => unknown) => {
    await setTicket({})
    const calls = serve({ ...SERVED, [CHANGE]: change })
    show(<Live />)
    return calls
  }
  const accepted = () => screen.queryByText('Accepted: the ticket is done.')

  test('accepting a built ticket sets the ticket to done and moves the focus to the text that replaces the button', async () => {
    const calls = await showLive(() => ({ ...TICKET, status: 'done' }))
    press('Accept')
    await waitFor(() => assert.ok(accepted() !== null))
    assert.ok(document.activeElement === accepted())
    await waitFor(() => assert.deepEqual(sent(calls, CHANGE), [{ status: 'done' }]))
    await findMessage(/Done/i)
  })

  test('after a refused acceptance, the focus does not move when another person accepts the ticket', async () => {
    const calls = await showLive(() => new Refusal(403, 'forbidden', 'You may not.'))
    press('Accept')
    await waitFor(() => assert.equal(calls[CHANGE]?.length, 1))
    await waitFor(() => assert.ok(isThere('button', 'Accept')))
    document.body.focus()
    ;(document.activeElement as HTMLElement | null)?.blur()
    await setTicket({ status: 'done' })
    await waitFor(() => assert.ok(accepted() !== null))
    assert.equal(document.activeElement === accepted(), false)
  })
})
