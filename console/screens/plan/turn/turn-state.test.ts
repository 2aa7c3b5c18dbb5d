import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlanFrame } from '@slipway/sdk/plan-stream.ts'
import { initialTurn, reduceTurn, saidIn } from './turn-state.ts'

const read = (...frames: PlanFrame[]) => frames.reduce(reduceTurn, initialTurn)
const tool = (name: string, args: unknown, part: Partial<PlanFrame & { type: 'tool' }> = {}): PlanFrame => ({
  type: 'tool',
  id: `call_${name}`,
  name,
  args,
  ok: true,
  result: '',
  ms: 3,
  ...part,
})
const created = (id: string, title: string) =>
  tool('create_ticket', { title }, { result: `Created ${id} ${JSON.stringify(title)}.` })

describe('the state of a reply while it is written', () => {
  test('a streamed reply has its reasoning, text and tool calls in the order of arrival', () => {
    const state = read(
      { type: 'delta', reasoning: 'Two ' },
      { type: 'delta', reasoning: 'tickets.' },
      { type: 'delta', text: 'I write ' },
      { type: 'delta', text: 'them.' },
      created('tkt_1', 'One'),
      tool('list_tickets', {}),
      { type: 'delta', text: '\n\nDone.' },
    )
    assert.deepEqual(
      state.parts.map((part) => (part.kind === 'calls' ? part.calls.length : [part.kind, part.text])),
      [['reasoning', 'Two tickets.'], ['text', 'I write them.'], 2, ['text', '\n\nDone.']],
    )
    assert.equal(saidIn(state), 'I write them.\n\nDone.')
  })

  test('a retried model call removes the text that the first attempt had streamed', () => {
    const state = read(
      { type: 'delta', text: 'First.' },
      created('tkt_1', 'One'),
      { type: 'delta', text: '\n\nHalf a sen' },
      { type: 'retry', waitMs: 5, reason: 'overloaded', text: 'First.' },
    )
    assert.equal(saidIn(state), 'First.')
    const again = reduceTurn(state, { type: 'delta', text: '\n\nWhole.' })
    assert.equal(saidIn(again), 'First.\n\nWhole.')
  })

  test('a tool call of a reply is shown as being written until it runs or the reply fails', () => {
    const growing = read(
      { type: 'delta', tool: 'create_ticket', toolChars: 10 },
      { type: 'delta', toolChars: 5 },
    )
    assert.deepEqual(growing.writing, { tool: 'create_ticket', characters: 15 })
    const other = reduceTurn(growing, { type: 'delta', tool: 'write_readme', toolChars: 2 })
    assert.deepEqual(other.writing, { tool: 'write_readme', characters: 2 })
    assert.equal(reduceTurn(other, tool('write_readme', { text: 'x' })).writing, null)
    const failed = reduceTurn(other, { type: 'error', kind: 'model_error', message: 'No.' })
    assert.equal(failed.writing, null)
  })

  test('a reply names each ticket that it wrote or changed once, by the latest title', () => {
    const { tickets } = read(
      created('tkt_1', 'One'),
      tool('create_ticket', { title: 'Two' }, { ok: false, result: 'unchanged: written already' }),
      tool('update_ticket', { id: 'tkt_9', status: 'done' }),
      tool('update_ticket', { id: 'tkt_1', title: 'First' }),
      tool('update_ticket', { id: 'tkt_1', priority: 'high' }),
    )
    assert.deepEqual(tickets, [
      { id: 'tkt_1', title: 'First' },
      { id: 'tkt_9', title: null },
    ])
  })

  test('malformed arguments of a tool call do not break the reply', () => {
    const { parts, tickets } = read(
      tool('search_tickets', { q: 'plants' }),
      tool('read_file', 'server/routes.ts'),
      tool('create_ticket', null, { ok: false, result: '', error: 'invalid_arguments: title' }),
      tool('update_ticket', { id: 7 }),
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
