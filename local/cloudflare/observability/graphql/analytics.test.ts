import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Telemetry } from '../telemetry/telemetry.ts'
import { runAnalyticsQuery } from './analytics.ts'

const AT = Date.parse('2024-06-01T10:20:30Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('the GraphQL query for the invocations of workers', () => {
  let telemetry: Telemetry
  beforeEach(() => {
    telemetry = new Telemetry(':memory:')
  })
  afterEach(() => telemetry.close())

  const run = (query: string, variables: Record<string, unknown> = {}, scopes: string[] = []) =>
    runAnalyticsQuery(telemetry, { accountIds: ['acme', 'second'], scopes }, { query, variables })
  /** Returns the rows, or the first error. */
  const rowsOf = (args: string, fields: string, variables: Record<string, unknown> = {}, head = '') => {
    const account = `accounts(filter: { accountTag: "acme" })`
    const query = `query ${head} { viewer { ${account} { workersInvocationsAdaptive(${args}) { ${fields} } } } }`
    const { data, errors } = run(query, variables)
    if (errors !== null) return errors[0]
    const { viewer } = data as { viewer: { accounts: [{ workersInvocationsAdaptive: unknown[] }] } }
    return viewer.accounts[0].workersInvocationsAdaptive
  }
  const count = (script: string, at: number, requests = 1, accountId = 'acme') => {
    for (let made = 0; made < requests; made++) telemetry.countRequest(accountId, script, at, 2)
  }
  const REQUESTS = 'sum { requests }'
  const BY_SCRIPT = `${REQUESTS} dimensions { scriptName }`
  const row = (requests: number, scriptName: string) => ({ sum: { requests }, dimensions: { scriptName } })

  test('an analytics query sums the invocations and the wall time (in microseconds) of one account only', () => {
    count('shop', AT, 2)
    count('blog', AT)
    count('shop', AT, 5, 'other')
    telemetry.countError('acme', 'shop', AT)
    assert.deepEqual(rowsOf('limit: 1', 'sum { requests errors subrequests wallTime }'), [
      { sum: { requests: 3, errors: 1, subrequests: 0, wallTime: 6000 } },
    ])
  })

  test('an analytics query can group invocations by worker, minute, hour or day', () => {
    for (const at of [AT, AT + 29_999, AT + 30_000, AT + HOUR_MS, AT + 24 * HOUR_MS]) count('shop', at)
    const by = (dimension: string) =>
      (
        rowsOf('limit: 10', `${REQUESTS} dimensions { ${dimension} }`) as {
          sum: { requests: number }
          dimensions: Record<string, string>
        }[]
      ).map(({ sum, dimensions }) => [dimensions[dimension], sum.requests])
    assert.deepEqual(by('datetimeMinute'), [
      ['2024-06-01T10:20:00Z', 2],
      ['2024-06-01T10:21:00Z', 1],
      ['2024-06-01T11:20:00Z', 1],
      ['2024-06-02T10:20:00Z', 1],
    ])
    assert.deepEqual(by('datetimeHour'), [
      ['2024-06-01T10:00:00Z', 3],
      ['2024-06-01T11:00:00Z', 1],
      ['2024-06-02T10:00:00Z', 1],
    ])
    assert.deepEqual(by('date'), [
      ['2024-06-01', 4],
      ['2024-06-02', 1],
    ])
    assert.deepEqual(by('scriptName'), [['shop', 5]])
  })

  test('an analytics query filters by time and worker; with scriptName and scriptName_in a row must match both', () => {
    count('blog', AT - MINUTE_MS)
    count('shop', AT)
    count('news', AT + MINUTE_MS)
    const filtered = (filter: string) => rowsOf(`limit: 10, filter: { ${filter} }`, BY_SCRIPT)
    const [blog, news, shop] = [row(1, 'blog'), row(1, 'news'), row(1, 'shop')]
    assert.deepEqual(filtered('datetime_geq: "2024-06-01T10:20:30Z"'), [news, shop])
    assert.deepEqual(filtered('datetime_leq: "2024-06-01T12:20:30+02:00"'), [blog, shop])
    assert.deepEqual(filtered('scriptName: "shop"'), [shop])
    assert.deepEqual(filtered('scriptName_in: ["blog", "shop", "none"]'), [blog, shop])
    assert.deepEqual(filtered('scriptName_in: []'), [])
    assert.deepEqual(filtered('scriptName: "shop", scriptName_in: ["blog", "shop"]'), [shop])
    assert.deepEqual(filtered('scriptName: "shop", scriptName_in: ["blog"]'), [])
  })

  test('an analytics query returns at most `limit` rows, and a limit outside 1 to 10,000 is an error', () => {
    for (const script of ['a', 'b', 'c']) count(script, AT)
    assert.deepEqual(rowsOf('limit: 2', BY_SCRIPT), [row(1, 'a'), row(1, 'b')])
    assert.deepEqual((rowsOf('limit: 10000', BY_SCRIPT) as unknown[]).length, 3)
    for (const limit of ['0', '10001', '1.5', '"2"'])
      assert.deepEqual((rowsOf(`limit: ${limit}`, BY_SCRIPT) as { extensions: object }).extensions, {
        code: 'parse',
      })
  })

  test('arguments of an analytics query can be variables, and a missing variable has the default that the query declares', () => {
    for (const script of ['a', 'b', 'c']) count(script, AT)
    const head = '($limit: Int = 1, $script: String)'
    const args = 'limit: $limit, filter: { scriptName: $script }'
    assert.deepEqual(rowsOf(args, BY_SCRIPT, { limit: 3, script: 'b' }, head), [row(1, 'b')])
    assert.deepEqual(rowsOf(args, BY_SCRIPT, {}, head), [row(1, 'a')])
    assert.deepEqual(rowsOf(args, BY_SCRIPT, { script: 'c' }, head), [row(1, 'c')])
  })

  test('an analytics query can use aliases to select a field twice with different arguments', () => {
    count('shop', AT)
    const query = `{ viewer { accounts(filter: { accountTag: "acme" }) {
      one: workersInvocationsAdaptive(limit: 1) { total: sum { n: requests } }
      none: workersInvocationsAdaptive(limit: 1, filter: { scriptName: "x" }) { dimensions { worker: scriptName } }
    } } }`
    const account = { one: [{ total: { n: 1 } }], none: [] }
    assert.deepEqual(run(query), { data: { viewer: { accounts: [account] } }, errors: null })
  })

  test('with a token for several accounts, an analytics query reads only the account that it names', () => {
    count('shop', AT, 2)
    count('blog', AT, 3, 'second')
    const read = (account: string) =>
      run(
        `{ viewer { accounts(filter: { accountTag: "${account}" }) { workersInvocationsAdaptive(limit: 1) { ${BY_SCRIPT} } } } }`,
      )
    const found = (requests: number, script: string) => ({
      data: { viewer: { accounts: [{ workersInvocationsAdaptive: [row(requests, script)] }] } },
      errors: null,
    })
    assert.deepEqual([read('acme'), read('second')], [found(2, 'shop'), found(3, 'blog')])
  })

  test('an analytics query needs a token for the account that it names, with the scope account-analytics.read', () => {
    const query = (filter: string) => `{ viewer { accounts${filter} { d1AnalyticsAdaptiveGroups { x } } } }`
    const own = query('(filter: { accountTag: "acme" })')
    const failure = (message: string, code: string) => ({
      data: null,
      errors: [{ message, path: ['viewer', 'accounts'], extensions: { code } }],
    })
    const unauthorized = failure('not authorized for that account', 'authz')
    assert.deepEqual(run(query('(filter: { accountTag: "other" })')), unauthorized)
    assert.deepEqual(run(own, {}, ['workers-scripts.write']), unauthorized)
    assert.deepEqual(run(query('')), failure('accounts: filter.accountTag is needed', 'internal'))
    const empty = { data: { viewer: { accounts: [{ d1AnalyticsAdaptiveGroups: [] }] } }, errors: null }
    assert.deepEqual(run(own, {}, ['account-analytics.read']), empty)
  })

  test('an analytics query with a syntax error, an unknown field or unsupported syntax returns errors with their paths', () => {
    const deep = (depth: number) => `${'{ viewer '.repeat(depth)}${' }'.repeat(depth)}`
    for (const [query, message, path, code] of [
      ['{ viewer', 'Syntax Error: Expected Name, found <EOF>.', null, 'parse'],
      ['', 'Syntax Error: Unexpected <EOF>.', null, 'parse'],
      ['mutation { viewer { x } }', 'exactly one query is needed', null, 'internal'],
      ['{ viewer { x } } query Two { viewer { x } }', 'exactly one query is needed', null, 'internal'],
      [
        '{ viewer { ...All } } fragment All on Viewer { x }',
        'fragments are not available in the local cloud',
        ['viewer'],
        'internal',
      ],
      ['{ viewer { constructor } }', 'unknown field "constructor"', ['viewer', 'constructor'], 'internal'],
      ['{ viewer }', '"viewer" needs a selection of fields', ['viewer'], 'internal'],
      [deep(2), 'unknown field "viewer"', ['viewer', 'viewer'], 'internal'],
    ] as const)
      assert.deepEqual(run(query), { data: null, errors: [{ message, path, extensions: { code } }] }, query)
    const unknown = rowsOf('limit: 1', `${REQUESTS} dimensions { country }`) as { message: string }
    assert.equal(unknown.message, 'unknown field "country"')
    const argument = rowsOf('limit: 1, filter: { country: "DE" }', REQUESTS) as { extensions: object }
    assert.deepEqual(argument.extensions, { code: 'parse' })
  })
})
