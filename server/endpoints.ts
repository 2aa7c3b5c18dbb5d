import { docsRoutes } from './docs/docs.routes.ts'
import { healthRoutes } from './health/health.routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { projectRoutes } from './projects/projects.routes.ts'
import { ticketRoutes } from './tickets/tickets.routes.ts'

/** The whole table: what the service answers, what the contract documents, what the contract tests walk. */
export const ENDPOINTS: Endpoint[] = docsRoutes([...projectRoutes, ...ticketRoutes, ...healthRoutes])
