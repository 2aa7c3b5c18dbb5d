import { docsRoutes } from '../docs/docs.routes.ts'
import { ENDPOINT_GROUPS } from './endpoint-groups.ts'
import type { Endpoint } from '../http/endpoint.ts'

/** Every endpoint of the service. The router, the API documents and the contract tests are derived from this list. */
export const ENDPOINTS: Endpoint[] = docsRoutes(ENDPOINT_GROUPS.flat())
