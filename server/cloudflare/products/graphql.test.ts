import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readHours } from './graphql.ts'
import { bodyResponse, closeProviders, hangUp, startProvider } from '../testing.ts'

const WINDOW = { from: new Date('2026-11-26T10:30:00Z'), to: new Date('2026-11-27T10:30:00Z') }
const row = (scriptName: string, requests: unknown, errors: unknown) => ({
  sum: { requests, errors },
  dimensions: { scriptName, datetimeHour: '2026-11-26T11:00:00Z' },
})
const rowsResponse = (...rows: object[]) =>
  bodyResponse({ data: { viewer: { accounts: [{ workersInvocationsAdaptive: rows }] } }, errors: null })

describe('the request counts of Cloudflare workers', () => {
  after(closeProviders)

  test('hourly counts of requests and errors are read with one query for all workers, even when Cloudflare sends numbers as text', async () => {
    const { cloud, requests, records } = await startProvider(
      rowsResponse(row('a', 3, 1), row('b', '40', '0')),
    )
    const at = new Date('2026-11-26T11:00:00Z')
    assert.deepEqual(await readHours(cloud, ['a', 'b'], WINDOW), [
      { script: 'a', at, requests: 3, errors: 1 },
      { script: 'b', at, requests: 40, errors: 0 },
    ])
    const [{ method, url, body }] = requests as [(typeof requests)[number]]
    const { variables } = JSON.parse(body) as { variables: object }
    assert.deepEqual(
      [method, url, variables],
      [
        'POST',
        '/graphql',
        {
          account: 'acc',
          scripts: ['a', 'b'],
          from: '2026-11-26T10:30:00.000Z',
          to: '2026-11-27T10:30:00.000Z',
        },
      ],
    )
    assert.deepEqual(records, [])
  })

  test('an account without traffic returns no hourly counts, and a query whose response is lost is sent again', async () => {
    const { cloud, seen } = await startProvider(hangUp, bodyResponse({ data: { viewer: { accounts: [] } } }))
    assert.deepEqual(await readHours(cloud, ['a'], WINDOW), [])
    assert.equal(seen.length, 2)
  })

  test('the error of a GraphQL query refused for a missing permission names it, whether or not the response has a data field', async () => {
    const errors = [{ message: 'not authorized for that account', extensions: { code: 'authz' } }]
    for (const body of [{ data: null, errors }, { errors }]) {
      const { cloud } = await startProvider(bodyResponse(body))
      await assert.rejects(readHours(cloud, ['a'], WINDOW), {
        fault: 'missing_scope',
        status: 200,
        message:
          'The connection to the cloud account has no permission to count the requests of the workers: not authorized for that account. Grant Account Analytics: Read and connect it again.',
      })
    }
  })

  test("any other failed GraphQL query throws an error with Cloudflare's message, even when the response also contains data", async () => {
    const errors = [{ message: 'query too complex', extensions: null }]
    const data = { viewer: { accounts: [] } }
    for (const [body, said] of [
      [{ data, errors }, 'query too complex'],
      [{ data: null, errors: [] }, 'no data'],
      [{}, 'no data'],
    ] as const) {
      const { cloud } = await startProvider(bodyResponse(body))
      await assert.rejects(readHours(cloud, ['a'], WINDOW), {
        fault: 'upstream',
        status: 200,
        message: `The cloud account refused to count the requests of the workers: ${said}`,
      })
    }
  })

  test('a Cloudflare response whose request count is not a number throws the error for an unexpected response', async () => {
    const { cloud } = await startProvider(rowsResponse(row('a', 'many', 0)))
    await assert.rejects(readHours(cloud, ['a'], WINDOW), {
      message:
        'The cloud account returned an unexpected response when asked to count the requests of the workers.',
      cause: 'unexpected response at: data.viewer.accounts.0.workersInvocationsAdaptive.0.sum.requests',
    })
  })
})
