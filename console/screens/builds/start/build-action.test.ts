import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { buildActionFor } from './build-action.ts'

const ticket = (part: Partial<Ticket> = {}) =>
  ({
    id: 'tkt_1',
    type: 'task',
    build: { state: 'idle', runId: null, outcome: null, refused: null },
    ...part,
  }) as Ticket
const idle: BuildQueue = { running: null, queued: [] }
const busy: BuildQueue = { running: { ticketId: 'tkt_2', title: 'Other', runId: 'run_1' }, queued: [] }
const quiet = { isBuilding: false, isAsking: false, queue: idle }

describe('the build button', () => {
  test('builds when nothing is being built', () => {
    assert.deepEqual(buildActionFor(ticket(), quiet), { kind: 'build', label: 'Build', reason: null })
    assert.equal(buildActionFor(ticket(), { ...quiet, queue: undefined }).reason, null)
  })

  test('queues while another ticket has the builder', () => {
    assert.equal(buildActionFor(ticket(), { ...quiet, queue: busy }).kind, 'queue')
  })

  test('leads to the questions of a build that waits for answers, whatever else is being built', () => {
    assert.equal(buildActionFor(ticket(), { ...quiet, isAsking: true, queue: busy }).kind, 'answer')
  })

  test('says why it cannot', () => {
    const reasonOf = (...args: Parameters<typeof buildActionFor>) => buildActionFor(...args).reason
    assert.match(reasonOf(null, quiet) ?? '', /Choose a ticket/)
    assert.match(reasonOf(ticket({ type: 'epic' }), quiet) ?? '', /epic/)
    assert.match(reasonOf(ticket(), { ...quiet, isBuilding: true }) ?? '', /running/)
    assert.match(reasonOf(ticket({ id: 'tkt_2' }), { ...quiet, queue: busy }) ?? '', /running/)
    const first = { ticketId: 'tkt_1', title: 'One', position: 1, queuedAt: '', waiting: null }
    const waits = { ...busy, queued: [first] }
    assert.equal(reasonOf(ticket(), { ...quiet, queue: waits }), 'Number 1 of 1 in the queue')
  })
})
