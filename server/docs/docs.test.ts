import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '../tables/endpoints.ts'
import { docsPage } from './docs-page.ts'

const openDocs = (path: string) => docsPage(new Request(`http://localhost${path}`))

describe('the documentation that the service serves', () => {
  test('the API reference page loads nothing from another host', async () => {
    const page = openDocs('/docs')
    const html = (await page?.text()) ?? ''
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      assert.match(address, /^(?:\/docs\/|data:)/)
    assert.match(page?.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
  })

  test('the scripts of the API reference are served as JavaScript, and for any other path the handler returns null', async () => {
    for (const path of ['/docs/start.js', '/docs/scalar.js']) {
      const script = openDocs(path)
      assert.match(script?.headers.get('content-type') ?? '', /^text\/javascript/)
      await script?.body?.cancel()
    }
    assert.equal(openDocs('/docs/other'), null)
    assert.equal(openDocs('/'), null)
  })

  test('the OpenAPI document describes every endpoint exactly once, with its error responses', async () => {
    const contract = ENDPOINTS.find((endpoint) => endpoint.name === 'getOpenApi')
    const answer = (await contract?.handle({
      ctx: {} as never,
      params: {},
      query: {},
      body: undefined,
      request: new Request('http://localhost/openapi.json'),
      spend: () => Promise.resolve(),
      requirePolicies: () => Promise.resolve(),
    })) as { body: string }
    const { openapi, paths } = JSON.parse(answer.body) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
    }
    assert.equal(openapi, '3.1.0')
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    assert.deepEqual(
      operations.map((operation) => operation.operationId).toSorted(),
      ENDPOINTS.map((endpoint) => endpoint.name).toSorted(),
    )
    for (const { operationId, responses } of operations) assert.ok(responses['500'], operationId)
  })
})
