import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlanFrame } from '@slipway/sdk/plan-stream.ts'
import { initialTurn, reduceTurn, replyText } from './turn-state.ts'

const reduceFrames = (...frames: PlanFrame[]) => frames.reduce(reduceTurn, initialTurn)
const toolFrame = (
  name: string,
  args: unknown,
  part: Partial<PlanFrame & { type: 'tool' }> = {},
): PlanFrame => ({
  type: 'tool',
  id: `call_${name}`,
  name,
  args,
  ok: true,
  result: '',
  ms: 3,
  ...part,
})
const createdTicket = (id: string, title: string) =>
  toolFrame('create_ticket', { title }, { result: `Created ${id} ${JSON.stringify(title)}.` })

describe('the state of a reply while it is written', () => {
  test('a streamed plan reply has its reasoning, text and tool calls in the order of arrival', () => {
    const state = reduceFrames(
      { type: 'delta', reasoning: 'Two ' },
      { type: 'delta', reasoning: 'tickets.' },
      { type: 'delta', text: 'I write ' },
      { type: 'delta', text: 'them.' },
      createdTicket('tkt_1', 'One'),
      toolFrame('list_tickets', {}),
      { type: 'delta', text: '\n\nDone.' },
    )
    assert.deepEqual(
      state.parts.map((part) => (part.kind === 'calls' ? part.calls.length : [part.kind, part.text])),
      [['reasoning', 'Two tickets.'], ['text', 'I write them.'], 2, ['text', '\n\nDone.']],
    )
    assert.equal(replyText(state), 'I write them.\n\nDone.')
  })

  test('a retried model call removes the text that the first attempt streamed into a plan reply', () => {
    const state = reduceFrames(
      { type: 'delta', text: 'First.' },
      createdTicket('tkt_1', 'One'),
      { type: 'delta', text: '\n\nHalf a sen' },
      { type: 'retry', waitMs: 5, reason: 'overloaded', text: 'First.' },
    )
    assert.equal(replyText(state), 'First.')
    const again = reduceTurn(state, { type: 'delta', text: '\n\nWhole.' })
    assert.equal(replyText(again), 'First.\n\nWhole.')
  })

  test('a tool call in a streamed plan reply is shown as being written until it runs or the reply fails', () => {
    const growing = reduceFrames(
      { type: 'delta', tool: 'create_ticket', toolChars: 10 },
      { type: 'delta', toolChars: 5 },
    )
    assert.deepEqual(growing.writing, { tool: 'create_ticket', characters: 15 })
    const other = reduceTurn(growing, { type: 'delta', tool: 'write_readme', toolChars: 2 })
    assert.deepEqual(other.writing, { tool: 'write_readme', characters: 2 })
    assert.equal(reduceTurn(other, toolFrame('write_readme', { text: 'x' })).writing, null)
    const failed = reduceTurn(other, { type: 'error', kind: 'model_error', message: 'No.' })
    assert.equal(failed.writing, null)
  })

  test('a plan reply lists each ticket that it created or changed once, with its latest title', () => {
    const { tickets } = reduceFrames(
      createdTicket('tkt_1', 'One'),
      toolFrame('create_ticket', { title: 'Two' }, { ok: false, result: 'unchanged: written already' }),
      toolFrame('update_ticket', { id: 'tkt_9', status: 'done' }),
      toolFrame('update_ticket', { id: 'tkt_1', title: 'First' }),
      toolFrame('update_ticket', { id: 'tkt_1', priority: 'high' }),
    )
    assert.deepEqual(tickets, [
      { id: 'tkt_1', title: 'First' },
      { id: 'tkt_9', title: null },
    ])
  })

  test("a plan reply's tool call with malformed arguments has no path, search or title, and no ticket is listed for it", () => {
    const { parts, tickets } = reduceFrames(
      toolFrame('search_tickets', { q: 'plants' }),
      toolFrame('read_file', 'server/routes.ts'),
      toolFrame('create_ticket', null, { ok: false, result: '', error: 'invalid_arguments: title' }),
      toolFrame('update_ticket', { id: 7 }),
    )
    const calls = parts.flatMap((part) => (part.kind === 'calls' ? part.calls : []))
    assert.deepEqual(
      calls.map(({ about, answer }) => [about, answer]),
      [
        ['plants', ''],
        [null, ''],
        [null, 'invalid_arguments: title'],
        [null, ''],
      ],
    )
    assert.deepEqual(tickets, [])
  })
})
