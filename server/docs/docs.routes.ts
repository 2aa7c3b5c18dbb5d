import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { openApiDocument } from '../http/openapi.ts'
import { VERSION } from '../version.ts'

/**
 * Adds the endpoint of the OpenAPI document to the endpoints. The document describes all endpoints, so this function
 * takes the list of all other endpoints.
 */
export function docsRoutes(others: Endpoint[]): Endpoint[] {
  const own = group('Operations', {
    getOpenApi: endpoint({
      route: 'GET /openapi.json',
      at: 'root',
      kind: 'bytes',
      scope: 'public',
      contentType: 'application/json',
      summary: 'This contract as OpenAPI 3.1',
      query: z.object({}),
      handle: () => ({ body: documentText(), contentType: 'application/json; charset=utf-8' }),
    }),
  })
  let text: string | undefined
  const documentText = () => (text ??= JSON.stringify(openApiDocument([...others, ...own], VERSION)))
  return [...others, ...own]
}
