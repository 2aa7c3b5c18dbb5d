import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import { describeLine, describeQueued, describeWaiting, queuePosition, withoutTicket } from './queue-line.ts'

const queuedBuild = (ticketId: string, position: number) => ({
  ticketId,
  title: `Title of ${ticketId}`,
  position,
  queuedAt: '2026-01-31T10:00:00.000Z',
  waiting: null,
})
const runningBuild = { ticketId: 'now', title: 'Now', runId: 'run_1' }
const buildQueue: BuildQueue = {
  running: runningBuild,
  queued: [queuedBuild('a', 1), queuedBuild('b', 2), queuedBuild('c', 3)],
}

describe('the words that describe the build queue', () => {
  test('the description of the build queue counts the running and the waiting tickets', () => {
    assert.equal(describeLine(undefined), null)
    assert.equal(describeLine({ running: null, queued: [] }), null)
    assert.equal(describeLine({ running: runningBuild, queued: [] }), 'Building 1')
    assert.equal(describeLine(buildQueue), 'Building 1, 3 waiting')
    assert.equal(describeLine({ running: null, queued: [queuedBuild('a', 1)] }), '1 waiting')
  })

  test('a waiting ticket is described with the titles of the tickets for which it waits', () => {
    const dependencies = [
      { ticketId: 'x', title: 'Sign in', problem: 'failed' as const },
      { ticketId: 'y', title: 'Home', problem: null },
      { ticketId: 'z', title: null, problem: 'missing' as const },
    ]
    const waiting = { reason: 'dependencies' as const, until: null, dependencies }
    assert.equal(
      describeWaiting(waiting),
      'Waits for “Sign in” (its last build failed), “Home”, and a ticket that is gone.',
    )
    const held = { ...queuedBuild('a', 1), waiting }
    assert.equal(describeLine({ running: null, queued: [held] }), '1 waits for another ticket')
    assert.equal(describeLine({ running: null, queued: [held, queuedBuild('b', 2)] }), '2 waiting')
    assert.equal(
      describeWaiting({ reason: 'model', until: null }),
      'Waiting for a model: connect one under Models.',
    )
  })

  test('removing a ticket from the queue moves the later tickets up by one position', () => {
    const after = withoutTicket(buildQueue, 'b')
    assert.deepEqual(
      after.queued.map(({ ticketId, position }) => [ticketId, position]),
      [
        ['a', 1],
        ['c', 2],
      ],
    )
    assert.deepEqual(after.running, runningBuild)
    assert.equal(buildQueue.queued.length, 3)
  })

  test('a queued ticket has a position in the queue, and a ticket that is being built has none', () => {
    assert.deepEqual(queuePosition(buildQueue, 'c'), { n: 3, of: 3 })
    assert.equal(queuePosition(buildQueue, 'now'), null)
    assert.equal(queuePosition(undefined, 'a'), null)
  })

  test('the message after adding tickets to the queue says whether one was added, and why each skipped ticket was not', () => {
    const answer = {
      queued: ['a'],
      openQuestions: [],
      skipped: [
        { ticketId: 'e', reason: 'structure' as const },
        { ticketId: 'now', reason: 'building' as const },
      ],
    }
    const { sentence, skipped } = describeQueued(answer, (id) => (id === 'e' ? 'All plants' : undefined))
    assert.equal(sentence, 'Added to the queue')
    assert.deepEqual(
      skipped.map(({ title, why }) => [title, why]),
      [
        ['All plants', 'An epic groups tickets and is never built itself.'],
        ['now', 'It is being built now.'],
      ],
    )
    assert.equal(describeQueued({ ...answer, queued: [] }, () => undefined).sentence, 'No ticket was added')
  })
})
