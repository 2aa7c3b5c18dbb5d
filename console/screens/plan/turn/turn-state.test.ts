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

describe('a reply as it is written', () => {
  test('grows in the order in which things were thought, said and done', () => {
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

  test('loses what a call had said that is made again', () => {
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

  test('shows what is being written until the call is made', () => {
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

  test('names each ticket it wrote or changed once, by its last name', () => {
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

  test('lets a model give whatever arguments it likes', () => {
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
