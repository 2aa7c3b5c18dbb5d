import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import { RestartingClient } from './restarting-client.ts'

const QUERY_KEY = ['list']
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A query whose responses arrive when the test resolves them. */
function heldQuery() {
  const responses: ((data: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => void responses.push(resolve))
  return { responses, query: { queryKey: QUERY_KEY, queryFn } }
}

describe('a read in progress when its query is invalidated', () => {
  for (const before of [undefined, 'earlier'])
    test(`invalidating a query in use restarts ${before ? 'its refetch' : 'its first fetch'} and drops the response to the old request`, async () => {
      const client = new RestartingClient()
      if (before) client.setQueryData(QUERY_KEY, before, { updatedAt: 1 })
      const { responses, query } = heldQuery()
      const unsubscribe = new QueryObserver(client, query).subscribe(() => {})
      assert.equal(responses.length, 1)
      const done = client.invalidateQueries({ queryKey: QUERY_KEY })
      assert.equal(responses.length, 2)
      responses[0]?.('before the change')
      await nextTurn()
      assert.equal(client.getQueryData(QUERY_KEY), before)
      responses[1]?.('after the change')
      await done
      assert.equal(client.getQueryData(QUERY_KEY), 'after the change')
      assert.equal(client.getQueryState(QUERY_KEY)?.isInvalidated, false)
      unsubscribe()
    })

  for (const before of [undefined, 'earlier'])
    test(`a caller that awaits ${before ? 'a refetch' : 'the first fetch'} gets the response of the restarted fetch after its query is invalidated`, async () => {
      const client = new RestartingClient()
      if (before) client.setQueryData(QUERY_KEY, before, { updatedAt: 1 })
      const { responses, query } = heldQuery()
      const waiting = client.fetchQuery(query)
      void client.invalidateQueries({ queryKey: QUERY_KEY })
      responses[0]?.('before the change')
      responses.at(-1)?.('after the change')
      assert.equal(await waiting, 'after the change')
      assert.equal(responses.length, 2)
    })

  test('invalidating another query does not restart a fetch in progress', async () => {
    const client = new RestartingClient()
    const { responses, query } = heldQuery()
    const waiting = client.fetchQuery(query)
    await client.invalidateQueries({ queryKey: ['other'] })
    responses[0]?.('whole')
    assert.deepEqual([await waiting, responses.length], ['whole', 1])
  })
})
