import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { changedBy, invalidateAll, queryKeys } from './query-keys.ts'

const PROJECT_ID = 'prj_1'

/** Returns those of the `known` keys that are stale after `changed` was invalidated. */
async function staleAfter(changed: readonly QueryKey[], known: readonly QueryKey[]): Promise<QueryKey[]> {
  const client = new QueryClient()
  for (const key of known) client.setQueryData(key, 'something')
  await invalidateAll(client, changed)
  return known.filter((key) => client.getQueryState(key)?.isInvalidated)
}

describe('the queries that become stale with an event', () => {
  test("removing a member refetches all members, invitations and API keys, but not the removed member's list of keys and webhooks", async () => {
    const { members, belongings, apiKeys } = queryKeys
    const known = [members.all, members.invitations, belongings('mbr_1'), apiKeys]
    assert.deepEqual(await staleAfter(changedBy.memberRemoval, known), [
      members.all,
      members.invitations,
      apiKeys,
    ])
  })

  test('the end of a build refetches every list of the project, but no diff between commits', async () => {
    const { tickets, runs, versions, versionDiff, plan } = queryKeys
    const lists = [
      tickets.stats(PROJECT_ID),
      tickets.pages(PROJECT_ID, {}),
      runs.list(PROJECT_ID),
      versions.list(PROJECT_ID),
    ]
    const kept = [
      versionDiff(PROJECT_ID, 'abc', null),
      plan.ticket(PROJECT_ID, 'tkt_1'),
      plan.thread(PROJECT_ID),
    ]
    assert.deepEqual(await staleAfter(changedBy.buildEnd, [...lists, ...kept]), lists)
  })

  test('reverting a version refetches the data of its project, but of no other project', async () => {
    const { projects, deployments } = queryKeys
    const known = [projects.one(PROJECT_ID), projects.one('prj_2'), deployments.state(PROJECT_ID)]
    assert.deepEqual(await staleAfter(changedBy.revert(PROJECT_ID), known), [
      projects.one(PROJECT_ID),
      deployments.state(PROJECT_ID),
    ])
  })

  test('a changed record refetches all pages and searches of its own collection, but of no other collection', async () => {
    const { records } = queryKeys
    const pages = [records.pages(PROJECT_ID, 'orders', {}), records.found(PROJECT_ID, 'orders', 'late')]
    const known = [...pages, records.pages(PROJECT_ID, 'customers', {})]
    assert.deepEqual(await staleAfter(changedBy.recordChange(PROJECT_ID, 'orders'), known), pages)
  })
})

test('no two kinds of data share a query key', () => {
  const made = [...keysIn(queryKeys)].map((key) => JSON.stringify(key))
  assert.deepEqual(
    made.filter((key, index) => made.indexOf(key) !== index),
    [],
  )
  assert.ok(made.length > 50)
})

/** Yields every query key of the object. A key that is a function is called with a different word for each parameter. */
function* keysIn(keys: object): Generator<QueryKey> {
  for (const value of Object.values(keys) as unknown[]) {
    if (Array.isArray(value)) yield value
    else if (typeof value === 'function')
      yield (value as (...args: string[]) => QueryKey)('first', 'second', 'third', 'fourth')
    else yield* keysIn(value as object)
  }
}
