import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import type { PlanFrame } from '@slipway/sdk/plan-stream.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { isShown, isThere, press, Refusal, serve, show, untilSent } from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { finishedTurnOf, sendTurn } from '../turn/turn-follower.ts'
import { initialTurn, reduceTurn } from '../turn/turn-state.ts'
import { LiveReply, Reply } from './reply.tsx'

const agentMessage = (id: string, part: Partial<PlanMessage> = {}): PlanMessage => ({
  id,
  role: 'agent',
  text: '',
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
const callOf = (name: string, args: object, part: object = {}): PlanFrame => ({
  type: 'tool',
  id: `call_${name}`,
  name,
  args,
  ok: true,
  result: 'Its answer.',
  ms: 5,
  ...part,
})
const wroteTicket = callOf('create_ticket', { title: 'Water the ferns' }, { result: 'Created tkt_1 (task)' })
const FRAMES: PlanFrame[] = [
  { type: 'delta', reasoning: 'The person has ferns.' },
  callOf('read_file', { path: 'web/app.tsx' }),
  { type: 'delta', text: 'One ticket, ' },
  wroteTicket,
  { type: 'delta', text: 'as you said.' },
]
const TICKET_1 = 'GET /projects/prj_1/tickets/tkt_1'

let lastProject = 0

/** Streams a reply to this page, which then has its reasoning and tool calls. Returns the message that the service stores. */
async function streamReply(frames: PlanFrame[], part: Partial<PlanMessage> = {}): Promise<PlanMessage> {
  lastProject += 1
  const project = `prj_reply_${lastProject}`
  const message = agentMessage(`msg_reply_${lastProject}`, { text: 'One ticket, as you said.', ...part })
  const lines = [...frames, { type: 'done', message } as const].map(
    (frame) => `data: ${JSON.stringify(frame)}\n\n`,
  )
  serve({
    [`POST /projects/${project}/plan/stream`]: () =>
      new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    [`GET /projects/${project}/plan/messages`]: () => ({ items: [message], nextCursor: null, total: 1 }),
  })
  await sendTurn(project, { text: 'I have ferns' })
  await waitFor(() => assert.ok(finishedTurnOf(message.id) !== null))
  return message
}

const serveTicket = (answer: () => unknown = () => testTicket('tkt_1', { title: 'Water the ferns' })) =>
  serve({ [TICKET_1]: answer })

function showReply(message: PlanMessage, isLast = true) {
  let retries = 0
  show(
    <Reply
      projectId="prj_1"
      message={message}
      isLast={isLast}
      onRetry={message.status === 'failed' ? () => retries++ : null}
    />,
  )
  return { retries: () => retries }
}
const replyText = () => screen.getByRole('article').textContent ?? ''
/** Whether these words are in the reply in this order. */
const isInOrder = (...words: string[]) =>
  words
    .map((part) => replyText().indexOf(part))
    .every((at, n, all) => at !== -1 && (n === 0 || at > (all[n - 1] ?? 0)))
const footer = () => screen.getByRole('article').querySelector('p:last-child')?.textContent

describe('a stored reply that was streamed to this page', () => {
  test('a reply of the plan agent shows its reasoning, tool calls and text in the order in which they arrived', async () => {
    const message = await streamReply(FRAMES)
    serveTicket()
    showReply(message)
    await screen.findByText('as you said.')
    assert.ok(isInOrder('Reasoning', 'Read', 'web/app.tsx', 'One ticket,', 'Wrote a ticket', 'as you said.'))
    assert.ok(!isShown(/steps?$/), 'nothing is folded')
  })

  test('when a model retry changed the text of a plan reply, the stored text is shown once, after the folded steps', async () => {
    const message = await streamReply(FRAMES, { text: 'Two tickets.' })
    serveTicket()
    showReply(message)
    await screen.findByText('Two tickets.')
    assert.ok(!isShown('as you said.'))
    const steps = screen.getByText('3 steps')
    assert.equal(steps.closest('details')?.open, false)
    assert.ok(isInOrder('3 steps', 'Two tickets.'))
  })

  test('a plan reply whose text changed and that called no tool has no folded steps', async () => {
    const message = await streamReply([{ type: 'delta', text: 'One.' }], { text: 'Two.' })
    showReply(message)
    await screen.findByText('Two.')
    assert.ok(document.querySelector('details') === null)
  })

  test('a failed tool call of a plan reply is marked as failed, and its response can be unfolded', async () => {
    const message = await streamReply(
      [callOf('search', { q: '<b>fern</b>' }, { ok: false, error: 'The search is too long.' })],
      { text: '' },
    )
    showReply(message)
    assert.ok(isInOrder('Searched the code', '<b>fern</b>', 'Failed'))
    fireEvent.click(screen.getByText('Searched the code'))
    assert.ok(isShown('The search is too long.'))
  })

  test('until a ticket that a plan reply wrote is loaded, it has the title from the reply', async () => {
    const message = await streamReply(FRAMES, { tickets: ['tkt_1', 'tkt_2'] })
    const read = Promise.withResolvers<unknown>()
    serve({ [TICKET_1]: () => read.promise, 'GET /projects/prj_1/tickets/tkt_2': () => read.promise })
    showReply(message)
    assert.ok(isThere('link', 'Water the ferns'))
    assert.ok(isThere('link', 'tkt_2'), 'the reply did not name the title of this one')
    read.resolve(testTicket('tkt_1', { title: 'Water the ferns daily' }))
    await screen.findAllByRole('link', { name: 'Water the ferns daily' })
  })

  test('a ticket that a plan reply wrote and that was then deleted is crossed out, with the title from the reply', async () => {
    const message = await streamReply(FRAMES, { tickets: ['tkt_1'] })
    serveTicket(() => new Refusal(404, 'not_found', 'Gone.'))
    showReply(message)
    await waitFor(() => assert.ok(!isThere('link')))
    const chips = within(screen.getByRole('region', { name: '1 ticket written' }))
    assert.equal(chips.getByRole('listitem').textContent, 'Water the ferns')
  })
})

describe('a stored reply that this page did not stream', () => {
  test('a stored plan reply whose steps are not in memory has its text and no steps', async () => {
    showReply(agentMessage('msg_old', { text: 'Three **tickets**.' }))
    assert.equal((await screen.findByText('tickets')).tagName, 'STRONG')
    assert.ok(document.querySelector('details') === null)
  })

  test('the line under a plan reply names the model and the tokens only where they are known', async () => {
    const usage = { input: 900, output: 50, cacheRead: 800, cacheWrite: 0 }
    for (const [part, shown] of [
      [{ model: 'claude', usage }, /ago·claude·950 tokens$/],
      [{ model: 'claude', usage: { ...usage, input: 0, output: 0 } }, /ago·claude$/],
      [{ usage }, /ago·950 tokens$/],
      [{}, /ago$/],
    ] as const) {
      showReply(
        agentMessage('msg_line', { ...part, createdAt: new Date(Date.now() - 3_600_000).toISOString() }),
      )
      assert.match(footer() ?? '', shown)
      document.body.replaceChildren()
    }
  })

  test('a plan reply that failed before its first word says so and can be retried', () => {
    const error = { kind: 'rate_limited', message: 'Slow down.' } as const
    const { retries } = showReply(agentMessage('msg_failed', { status: 'failed', error }))
    assert.ok(isShown('The reply was not finished'))
    press('Try again')
    assert.equal(retries(), 1)
  })

  test('a failed plan reply says that the tickets it has already written are kept', async () => {
    serveTicket()
    const error = { kind: 'time_limit', message: 'Five minutes.' } as const
    showReply(agentMessage('msg_late', { status: 'failed', error, tickets: ['tkt_1'] }))
    await screen.findByRole('link', { name: 'Water the ferns' })
    assert.ok(isShown('Tickets it has written stay and are not written twice.'))
    assert.ok(!isThere('button', 'Build it'))
  })

  test('only the newest plan reply offers to build its tickets', async () => {
    serveTicket()
    showReply(agentMessage('msg_earlier', { tickets: ['tkt_1'], text: 'One.' }), false)
    await screen.findByRole('link', { name: 'Water the ferns' })
    assert.ok(!isThere('button', 'Build it'))
  })
})

describe('a reply while it is written', () => {
  const showLive = (frames: PlanFrame[], phase: 'answering' | 'apart' = 'answering') => {
    const view = { said: null, phase, since: 0, state: frames.reduce(reduceTurn, initialTurn) }
    show(<LiveReply projectId="prj_1" view={view} />)
  }

  test('before its first word, a plan reply says that it is waiting for the model', () => {
    showLive([])
    assert.ok(isShown('Waiting for the model'))
    assert.ok(!isThere('region'))
  })

  test('the tickets of a plan reply are links as soon as they are written, and can be built only once the reply is complete', async () => {
    serveTicket()
    showLive([wroteTicket, { type: 'delta', tool: 'create_ticket', toolChars: 0 }])
    await screen.findByRole('link', { name: 'Water the ferns' })
    assert.ok(isShown('1 ticket written'))
    assert.ok(isShown('Writing a ticket'))
    assert.ok(!isShown(/characters/), 'nothing of the next ticket has arrived yet')
    assert.ok(!isThere('button'))
  })

  test('a tool call of a plan reply that the console does not know is shown with the name that the model used', () => {
    showLive([{ type: 'delta', tool: 'water_plants', toolChars: 12 }])
    assert.ok(isShown('water_plants'))
    assert.match(replyText(), /12 characters/)
  })

  test('a plan reply that this tab does not stream shows the text received so far, and not that it is waiting for the model', async () => {
    showLive([{ type: 'delta', text: 'One ticket' }], 'apart')
    await screen.findByText('One ticket')
    assert.ok(isShown('The reply is being written. It appears here when it is complete.'))
    assert.ok(!isShown('Waiting for the model'))
    await untilSent()
  })
})
