import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PlanWorld, create, planWorld } from './plan-world.ts'

describe('the plan thread', () => {
  let world: PlanWorld
  before(async () => {
    world = await planWorld()
  })
  after(() => world.close())

  test('the agent writes tickets and answers; both sides are in the thread, newest first', async () => {
    const thread = await world.openThread([
      {
        text: 'Two tickets.',
        toolCalls: [create('Plants'), create('Rooms', { type: 'feature', labels: ['home'] })],
        usage: { input: 100, output: 20 },
        expect: { tools: ['create_ticket', 'list_tickets', 'write_readme'], withoutTools: ['write_file', 'ship'] },
      },
      { text: 'I wrote two tickets.', usage: { input: 50, output: 5 }, expect: { lastResult: 'Created tkt_' } },
    ])
    const reply = await thread.say('Track plants and rooms')
    assert.equal(reply.status, 200, String(reply.error?.message))
    const tickets = await thread.tickets()
    assert.deepEqual(
      tickets.map(({ title, source }) => [title, source]),
      [
        ['Rooms', 'agent'],
        ['Plants', 'agent'],
      ],
    )
    assert.equal(reply.data.text, 'Two tickets.\n\nI wrote two tickets.')
    assert.deepEqual(reply.data.tickets.toSorted(), tickets.map(({ id }) => id).toSorted())
    assert.deepEqual(reply.data.usage, { input: 150, output: 25, cacheRead: 0, cacheWrite: 0 })
    const [answer, said, ...rest] = await thread.messages()
    assert.deepEqual(rest, [])
    assert.deepEqual(answer, reply.data)
    assert.deepEqual([said?.role, said?.text, said?.status], ['user', 'Track plants and rooms', 'complete'])
  })
})
