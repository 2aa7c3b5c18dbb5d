import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../endpoint.ts'
import { listFlowRuns } from './runs.ts'

/** A context that must not be used, because a cursor is refused before any lookup. */
const unused = new Proxy({} as Context<'accounts'>, {
  get: (_target, name) => {
    throw new Error(`must not be used: ${String(name)}`)
  },
})

test('a cursor for workflow runs that is malformed or has another page size is refused without a request to Cloudflare', async () => {
  const cursors = [
    '',
    'x',
    '2',
    '2:',
    ':20',
    '2:21',
    '2:020',
    '0:20',
    '00:20',
    '02:20',
    '-1:20',
    '1.5:20',
    '1234567:20',
    '2:20 ',
    '2:20\n',
  ]
  for (const cursor of cursors)
    await assert.rejects(
      listFlowRuns(unused, 'p1', { cursor }),
      { code: 'invalid_request', message: 'cursor: is not a cursor of this list' },
      JSON.stringify(cursor),
    )
  await assert.rejects(listFlowRuns(unused, 'p1', { cursor: '2:20', limit: 50 }), { code: 'invalid_request' })
})

test('a cursor of the list of workflow runs with the requested page size is accepted', async () => {
  for (const cursor of ['1:20', '2:20', '999999:20'])
    await assert.rejects(listFlowRuns(unused, 'p1', { cursor }), /must not be used/, cursor)
  await assert.rejects(listFlowRuns(unused, 'p1', { cursor: '3:50', limit: 50 }), /must not be used/)
})
