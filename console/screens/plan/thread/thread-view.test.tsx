import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { threadQuery } from '../../../api/project/plan.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { initialTurn } from '../turn/turn-state.ts'
import type { TurnView } from '../turn/turn-follower.ts'
import { ThreadView } from './thread-view.tsx'

const message = (id: string, part: Partial<PlanMessage> = {}): PlanMessage => ({
  id,
  role: 'agent',
  text: `Text of ${id}`,
  status: 'complete',
  error: null,
  attachments: [],
  tickets: [],
  questions: [],
  model: null,
  usage: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...part,
})
const said = (id: string, part: Partial<PlanMessage> = {}) => message(id, { role: 'user', ...part })
const turnOf = (part: Partial<TurnView> = {}): TurnView => ({
  said: null,
  phase: 'answering',
  state: initialTurn,
  since: 0,
  ...part,
})

/** Shows a conversation whose newest page is loaded. Returns the requests and a function that counts the retries. */
async function renderThread(
  messages: PlanMessage[],
  {
    older = null,
    turn = null,
    isAwaiting = false,
    answers = {},
  }: {
    older?: string | null
    turn?: TurnView | null
    isAwaiting?: boolean
    answers?: Record<string, (call: { query: Record<string, string> }) => unknown>
  } = {},
) {
  let retries = 0
  const calls = serve(answers)
  queryClient.setQueryData(threadQuery('prj_1').queryKey, { messages, older, total: messages.length })
  function Page() {
    const thread = useQuery({ ...threadQuery('prj_1'), enabled: false }).data
    return (
      thread && (
        <ThreadView
          projectId="prj_1"
          thread={thread}
          turn={turn}
          isAwaiting={isAwaiting}
          onRetry={() => retries++}
        />
      )
    )
  }
  show(<Page />)
  // The renderer of Markdown is loaded on demand.
  const words = messages.filter(({ role, text }) => role === 'agent' && text !== '').at(-1)?.text
  if (words !== undefined) await screen.findByText(words)
  return { calls, retries: () => retries }
}
const log = () => within(screen.getByRole('log'))
const authors = () =>
  log()
    .getAllByRole('article')
    .map((one) => one.getAttribute('aria-label'))

describe('the conversation with the plan agent', () => {
  test('plan messages are articles labelled with their author, oldest first, and screen readers do not read new ones aloud', async () => {
    await renderThread([said('m1'), message('m2'), said('m3')])
    assert.deepEqual(authors(), ['Message', 'Plan agent', 'Message'])
    assert.equal(screen.getByRole('log').getAttribute('aria-live'), 'off')
  })

  test('markup and `javascript:` URLs in a plan message are shown as text', async () => {
    await renderThread([said('m1', { text: '<img src=x onerror=alert(1)> javascript:alert(1)' })])
    assert.ok(isShown('<img src=x onerror=alert(1)> javascript:alert(1)'))
    assert.ok(!isThere('link'))
  })

  test('a long plan message is collapsed and can be shown as a whole', async () => {
    await renderThread([said('m1', { text: 'x'.repeat(1201) }), said('m2', { text: 'y'.repeat(1200) })])
    assert.equal(screen.getAllByRole('button', { name: 'Show all of it' }).length, 1)
    press('Show all of it')
    assert.ok(!isThere('button', 'Show all of it'))
  })

  test('when “Show all of it” disappears, the focus moves to the text of the plan message', async () => {
    const text = 'x'.repeat(1201)
    await renderThread([said('m1', { text })])
    button('Show all of it').focus()
    press('Show all of it')
    assert.ok(document.activeElement === screen.getByText(text))
  })

  test('each attachment of a plan message is a numbered link that opens with `noopener`', async () => {
    await renderThread([said('m1', { attachments: ['_prompt/a.png', '_prompt/b.pdf'] })])
    const links = screen.getAllByRole('link')
    assert.deepEqual(
      links.map((link) => link.getAttribute('aria-label')),
      ['Attachment 1 of 2', 'Attachment 2 of 2'],
    )
    for (const link of links) assert.match(link.getAttribute('rel') ?? '', /noopener/)
    assert.ok(links[0]?.getAttribute('href')?.includes('/projects/prj_1/'))
  })

  test('an attachment of a plan message that cannot be shown as a picture is shown as a file', async () => {
    await renderThread([said('m1', { attachments: ['_prompt/b.pdf'] })])
    const picture = document.querySelector('img') as HTMLImageElement
    fireEvent.error(picture)
    assert.ok(document.querySelector('img') === null)
    assert.ok(isThere('link', 'Attachment 1 of 1'))
  })
})

describe('a reply of the plan agent that is stored', () => {
  test('a stopped reply of the plan agent says whether it was stopped before or after its first word', async () => {
    await renderThread([
      message('m1', { status: 'stopped', text: 'Half a' }),
      message('m2', { status: 'stopped', text: '' }),
    ])
    assert.ok(isShown('Stopped. The reply so far is kept.'))
    assert.ok(isShown('Stopped before the first word.'))
  })

  test('only the newest failed reply of the plan agent can be retried', async () => {
    const failed = { status: 'failed', error: { kind: 'unavailable', message: 'Later.' } } as const
    const { retries } = await renderThread([message('m1', failed), said('m2'), message('m3', failed)])
    assert.equal(screen.getAllByText('The reply was not finished').length, 2)
    press('Try again')
    assert.equal(retries(), 1)
  })

  test('a failed reply of the plan agent cannot be retried while another reply is being written', async () => {
    const failed = { status: 'failed', error: { kind: 'unavailable', message: 'Later.' } } as const
    await renderThread([message('m1', failed)], { turn: turnOf() })
    assert.ok(!isThere('button', 'Try again'))
  })

  test('the error message of a model provider is collapsed, except one about a budget, which says what is used up', async () => {
    await renderThread([
      message('m1', {
        status: 'failed',
        text: 'One',
        error: { kind: 'model_error', message: 'invalid x-api-key' },
      }),
      message('m2', {
        status: 'failed',
        text: 'Two',
        error: { kind: 'budget', message: '10,000 of 10,000 tokens' },
      }),
    ])
    const open = Array.from(document.querySelectorAll('details'), (one) => [one.textContent, one.open])
    assert.deepEqual(open, [
      ['What the provider saidinvalid x-api-key', false],
      ['What the provider said10,000 of 10,000 tokens', true],
    ])
  })

  test('a plan reply that failed for a reason unknown to the console shows the error message of the service', async () => {
    await renderThread([
      message('m1', {
        status: 'failed',
        error: { kind: 'check_failed', message: 'The check ended with 1.' },
      }),
    ])
    assert.ok(screen.getAllByText('The check ended with 1.').length > 0)
    assert.ok(!isShown('The service failed.'))
  })

  test('the model and the number of tokens are shown under a reply of the plan agent', async () => {
    await renderThread([
      message('m1', {
        model: 'claude',
        usage: { input: 11_000, output: 1400, cacheRead: 0, cacheWrite: 0 },
        text: 'With tokens',
      }),
    ])
    assert.match(screen.getByRole('article').textContent ?? '', /claude·.*12\.4k/)
  })
})

describe('the tickets of a reply', () => {
  const ids = Array.from({ length: 10 }, (_, n) => `tkt_${n}`)
  const answers = {
    'GET /projects/prj_1/tickets/tkt_0': () => testTicket('tkt_0', { title: 'Water', status: 'done' }),
    'GET /projects/prj_1/tickets/tkt_1': () => new Refusal(404, 'not_found', 'Gone.'),
    'GET /projects/prj_1/tickets/tkt_2': () => new Refusal(403, 'forbidden', 'No.'),
  }

  test('the tickets of a plan reply are links with their titles, or with the id when unreadable, and a deleted one says so', async () => {
    await renderThread([message('m1', { tickets: ids.slice(0, 3) })], { answers })
    const link = await screen.findByRole('link', { name: 'Water' })
    assert.equal(link.getAttribute('href'), '/projects/prj_1?ticket=tkt_0&tab=ticket&pane=work')
    await screen.findByText('A ticket that was deleted')
    assert.ok(isThere('link', 'tkt_2'))
  })

  test('a plan reply shows eight of its tickets, and reads further tickets only when they are shown', async () => {
    const read: string[] = []
    const all = Object.fromEntries(
      ids.map((id) => [
        `GET /projects/prj_1/tickets/${id}`,
        () => {
          read.push(id)
          return testTicket(id)
        },
      ]),
    )
    await renderThread([message('m1', { tickets: ids })], { answers: all })
    await screen.findByRole('link', { name: 'Ticket tkt_7' })
    assert.equal(read.length, 8)
    press('Show 2 more')
    await screen.findByRole('link', { name: 'Ticket tkt_9' })
    assert.ok(!isThere('button', /more$/))
  })

  test('of two complete plan replies with tickets, only the newer one offers to build them', async () => {
    await renderThread([
      message('m1', { tickets: ['tkt_0'], text: 'First' }),
      message('m2', { tickets: ['tkt_0'], text: 'Second' }),
    ])
    assert.equal(screen.getAllByRole('button', { name: 'Build it' }).length, 1)
  })

  test('a plan reply that was stopped or failed does not offer to build its tickets, which may be incomplete', async () => {
    for (const status of ['stopped', 'failed'] as const) {
      await renderThread([message('m1', { tickets: ['tkt_0'], status, text: status })])
      assert.ok(!isThere('button', 'Build it'), status)
      cleanup()
    }
  })

  test('tickets of a plan reply that could not be queued say why, and can be queued again', async () => {
    const queue = 'POST /projects/prj_1/build/queue'
    const outcomes: unknown[] = [
      new Refusal(409, 'conflict', 'The queue is full.'),
      { queued: [], skipped: [], openQuestions: [] },
    ]
    const { calls } = await renderThread([message('m1', { tickets: ['tkt_0'] })], {
      answers: { ...answers, [queue]: () => outcomes.shift() },
    })
    press('Build it')
    await assertAlert(/The queue is full/)
    press('Build it')
    await screen.findByText('None was added: they are in the queue or cannot be built')
    assert.equal(calls[queue]?.length, 2)
  })
})

describe('a reply that is being written', () => {
  test("the user's sent message is shown once, although it is in the stored chat and in the reply in progress", async () => {
    const turn = turnOf({ said: { text: 'A shop', attachments: [] } })
    await renderThread([said('m1', { text: 'A shop' })], { turn, isAwaiting: true })
    assert.equal(log().getAllByText('A shop').length, 1)
  })

  test('a plan message that is being sent has no time until the planning chat contains it', async () => {
    await renderThread([], { turn: turnOf({ phase: 'sending', said: { text: 'A shop', attachments: [] } }) })
    assert.deepEqual(authors(), ['Message'])
    assert.ok(document.querySelector('time') === null)
  })

  test('a plan reply that is being written in another tab says that it will appear when it is complete', async () => {
    await renderThread([said('m1')], { turn: turnOf({ phase: 'apart' }), isAwaiting: true })
    assert.deepEqual(authors(), ['Message', 'Plan agent'])
    assert.ok(isShown('The reply is being written. It appears here when it is complete.'))
  })

  test('while the model writes the input of a tool, the plan reply says what it writes and how many characters it has so far', async () => {
    await renderThread([said('m1')], {
      turn: turnOf({ state: { ...initialTurn, writing: { tool: 'create_ticket', characters: 1500 } } }),
    })
    assert.ok(isShown('Writing a ticket'))
    assert.ok(isShown(/1\.5k/))
  })
})

describe('earlier messages of the conversation', () => {
  const page = (...items: PlanMessage[]) => ({ items, nextCursor: null, total: 3 })

  test('earlier plan messages are added above the loaded ones, and “Show more” disappears after the last page', async () => {
    const { calls } = await renderThread([message('m3')], {
      older: 'cur_1',
      answers: { 'GET /projects/prj_1/plan/messages': () => page(message('m2'), said('m1')) },
    })
    press('Show more')
    await screen.findByText('Text of m1')
    assert.deepEqual(authors(), ['Message', 'Plan agent', 'Plan agent'])
    assert.ok(!isThere('button', 'Show more'))
    assert.equal(calls['GET /projects/prj_1/plan/messages']?.[0]?.query['cursor'], 'cur_1')
  })

  test('when earlier plan messages cannot be loaded, the reason is shown and the loaded messages stay', async () => {
    const outcomes: unknown[] = [new Refusal(403, 'forbidden', 'You may not.'), page(said('m1'))]
    await renderThread([message('m3')], {
      older: 'cur_1',
      answers: { 'GET /projects/prj_1/plan/messages': () => outcomes.shift() },
    })
    press('Show more')
    await assertAlert(/You may not/)
    assert.ok(isShown('Text of m3'))
    press('Try again')
    await waitFor(() => assert.deepEqual(authors(), ['Message', 'Plan agent']))
    await untilSent()
  })
})
