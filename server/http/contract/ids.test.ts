import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { type Client, testApp, type TestApp } from '../../testing/app.ts'
import { type RowIds, idName, NAMES_NO_ROW, newBelongings } from '../../testing/belongings.ts'
import { BEHIND_PROXY } from '../../testing/credentials.ts'
import { watchTables } from '../../testing/fingerprint.ts'
import { minimalOf, paramNames, shapeOf } from '../../testing/hostile.ts'
import type { Endpoint } from '../endpoint.ts'

const PLACES = ENDPOINTS.filter((endpoint) => endpoint.scope !== 'public').flatMap((endpoint) =>
  paramNames(endpoint)
    .filter((param) => !NAMES_NO_ROW.has(idName(endpoint, param)))
    .map((param) => ({ endpoint, param })),
)

describe('ids of another organization', () => {
  let app: TestApp
  let stranger: Client
  let own: RowIds
  let foreign: RowIds
  before(async () => {
    app = await testApp({ ...BEHIND_PROXY, modelBaseUrl: null })
    foreign = await newBelongings(app, await app.signUp('Olga Owner'))
    stranger = await app.signUp('Sam Stranger')
    own = await newBelongings(app, stranger)
  })
  after(() => app.close())

  /** Sends a request that is valid except that the path parameter `param` has the value `id`. */
  const askWithId = async (endpoint: Endpoint, param: string, id: string) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      name === param ? id : (own[idName(endpoint, name)] ?? 'data'),
    )
    const body = endpoint.body === undefined ? undefined : minimalOf(shapeOf(endpoint.body))
    const query = endpoint.query === undefined ? {} : minimalOf(shapeOf(endpoint.query))
    return stranger.call(
      `${endpoint.method} ${path}?${new URLSearchParams(query as Record<string, string>).toString()}`,
      body,
    )
  }

  test('for every path parameter of every endpoint the test data contains an id that belongs to another organization', () => {
    const unknown = PLACES.filter(({ endpoint, param }) => foreign[idName(endpoint, param)] === undefined)
    const routes = unknown.map(({ endpoint, param }) => `${endpoint.route} :${param}`)
    assert.deepEqual(routes, [], 'make one in server/testing/belongings.ts')
    assert.ok(PLACES.length > 40)
  })

  test('an id of another organization gets a 404 with the same error as an unknown id, and no table changes', async () => {
    const isChanged = await watchTables(app.platform.pool)
    for (const { endpoint, param } of PLACES) {
      const id = foreign[idName(endpoint, param)] ?? ''
      const unknown = `${id.slice(0, 4)}${'0'.repeat(26)}`
      const [known, nobodys] = [
        await askWithId(endpoint, param, id),
        await askWithId(endpoint, param, unknown),
      ]
      const said = `${endpoint.route} :${param} answered ${known.status} ${known.error?.message}`
      assert.deepEqual([known.status, known.error?.code], [404, 'not_found'], said)
      assert.deepEqual([nobodys.status, nobodys.error], [known.status, known.error], said)
      assert.ok(!(await isChanged()), `${said}, and yet something was stored`)
    }
  })

  test('a ticket or run id of another project in the same organization gets a 404 like an unknown id', async () => {
    const { data } = await stranger.call<{ id: string }>('POST /projects', { name: 'Another' })
    for (const { endpoint } of PLACES.filter(({ param }) => param === 'ticketId' || param === 'runId')) {
      const elsewhere = { ...endpoint, path: endpoint.path.replace(':projectId', data.id) }
      const param = paramNames(elsewhere)[0] ?? ''
      const answer = await askWithId(elsewhere, param, own[param] ?? '')
      assert.equal(answer.status, 404, `${endpoint.route}: ${answer.error?.message}`)
    }
  })
})
