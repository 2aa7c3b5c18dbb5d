import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { transact } from '../db/database.ts'
import { openQueueWorld } from './queue/testing.ts'
import {
  describePreviewErrors,
  type PreviewError,
  PreviewErrorsBody,
  readPreviewErrors,
  storePreviewErrors,
  consumePreviewErrors,
} from './preview-errors.ts'

const error = (message: string): PreviewError => ({ message })
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => error(`e${from + n}`))
/** An error whose JSON has exactly `bytes` bytes. */
const sized = (bytes: number) => error('ü'.repeat((bytes - 14) / 2))

describe('the errors of a preview', () => {
  let world: Awaited<ReturnType<typeof openQueueWorld>>
  before(async () => {
    world = await openQueueWorld()
  })
  after(() => world.database.drop())
  beforeEach(async () => {
    await world.clear()
    await world.addTickets('t1', 't2')
  })
  const store = (errors: PreviewError[], ticketId = 't1', projectId = 'p1') =>
    storePreviewErrors(world.contextOf(), projectId, { ticketId, errors })
  const read = (ticketId = 't1') => readPreviewErrors(world.database.db, ticketId)

  test('reported preview errors are added to the stored errors of the ticket, of which the fifty newest are kept', async () => {
    assert.deepEqual(await read(), [])
    assert.deepEqual(await store(many(0, 30)), { stored: 30 })
    assert.deepEqual(await store(many(30, 55)), { stored: 50 })
    assert.deepEqual(await store([error('other')], 't2'), { stored: 1 })
    assert.deepEqual([await read(), await read('t2')], [many(5, 55), [error('other')]])
  })

  test('reporting an empty list of preview errors clears the errors of that ticket only', async () => {
    await store(many(0, 2))
    await store(many(0, 1), 't2')
    assert.deepEqual(await store([]), { stored: 0 })
    assert.deepEqual(await store([]), { stored: 0 })
    assert.deepEqual([await read(), await read('t2')], [[], many(0, 1)])
  })

  test('preview errors that several consoles report at the same moment are all stored', async () => {
    const reports = Array.from({ length: 8 }, (_, n) => store([error(`from ${n}`)]))
    await Promise.all(reports)
    const messages = (await read()).map(({ message }) => message)
    assert.deepEqual(
      messages.toSorted(),
      Array.from({ length: 8 }, (_, n) => `from ${n}`),
    )
  })

  test('a preview error of more than 4,096 bytes is refused with its index in the list, and no error of the list is stored', async () => {
    assert.deepEqual(await store([sized(4096)]), { stored: 1 })
    await assert.rejects(store([error('small'), sized(4098)]), {
      code: 'invalid_request',
      message: 'errors.1: is larger than 4096 bytes',
    })
    assert.deepEqual(await read(), [sized(4096)])
  })

  test('preview errors that contain NUL or a lone surrogate are stored unchanged', async () => {
    const odd = { message: 'a\0b', stack: '🚀'.slice(0, 1), line: 1 }
    await store([odd])
    assert.deepEqual(await read(), [odd])
  })

  test('reporting preview errors for a ticket of another organization or project is refused as not found', async () => {
    await world.addTicket('foreign_t', { projectId: 'foreign', orgId: 'org_b' })
    await world.addTicket('t9', { projectId: 'p2' })
    for (const [ticket, project] of [
      ['foreign_t', 'foreign'],
      ['foreign_t', 'p1'],
      ['t9', 'p1'],
      ['t0', 'p1'],
    ] as const)
      await assert.rejects(store([error('x')], ticket, project), { code: 'not_found' })
    assert.deepEqual(await read('foreign_t'), [])
  })

  test('a build takes the preview errors of its ticket once, and leaves them stored when its transaction fails', async () => {
    const { db } = world.database
    await store(many(0, 2))
    const failed = transact(db, async (trx) => {
      assert.deepEqual(await consumePreviewErrors(trx, 't1'), many(0, 2))
      throw new Error('not started')
    })
    await assert.rejects(failed, /not started/)
    assert.deepEqual(await transact(db, (trx) => consumePreviewErrors(trx, 't1')), many(0, 2))
    assert.deepEqual(await transact(db, (trx) => consumePreviewErrors(trx, 't1')), [])
  })
})

test('a report of preview errors has at most fifty errors, each with a message', () => {
  const isAccepted = (errors: unknown) => PreviewErrorsBody.safeParse({ ticketId: 't', errors }).success
  assert.deepEqual(
    [
      many(0, 50),
      many(0, 51),
      [],
      [{}],
      [{ message: 1 }],
      [{ message: 'm', line: 1.5 }],
      [{ message: 'm', at: 'now' }],
    ].map(isAccepted),
    [true, false, true, false, false, false, false],
  )
})

test('preview errors are described to the model with their time and place, newest first', () => {
  const full = {
    message: 'b',
    stack: 'at x',
    source: 'web/a.ts',
    line: 3,
    column: 7,
    at: '2026-11-26T10:00:00Z',
  }
  assert.equal(
    describePreviewErrors([error('a'), full, { message: 'c', source: 'web/b.ts', column: 2 }]),
    [
      'The preview reported these errors, the newest first:',
      '- c at web/b.ts:2',
      '- [2026-11-26T10:00:00Z] b at web/a.ts:3:7',
      'at x',
      '- a',
    ].join('\n'),
  )
})

test('the description of preview errors for the model is cut at 12,000 characters and says how many are left out', () => {
  const long = (letter: string) => error(letter.repeat(3998))
  const described = (count: number) =>
    describePreviewErrors([error('oldest'), ...Array.from({ length: count }, () => long('x'))]).split('\n')
  assert.deepEqual(described(2).slice(1), [`- ${long('x').message}`, `- ${long('x').message}`, '- oldest'])
  assert.deepEqual(described(3).slice(4), ['and 1 more'])
  assert.deepEqual(described(4).slice(4), ['and 2 more'])
})
