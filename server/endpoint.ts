import { type DeclareEndpoint, declareEndpoint } from './http/endpoint.ts'
import type { CallerFields, RequestFields } from './http/context.ts'
import type { Platform, PlatformPorts, Ports } from './platform.ts'

export { group } from './http/endpoint.ts'

/** Declares one endpoint of this service. Its handler gets `Core` and those parts of the service (ports) that `needs` names. */
export const endpoint: DeclareEndpoint<Ports> = declareEndpoint

export type RequestContext<Port extends keyof Ports = never> = PlatformPorts<Port> & RequestFields

/**
 * The context of a request with a known caller: `Core`, the parts of the service that `Port` names, and the
 * caller.
 */
export type Context<Port extends keyof Ports = never> = PlatformPorts<Port> & CallerFields

/**
 * The caller and those parts of the service that `Part` names, `db`, `clock` and `log` included. For a function that needs no other
 * property of the request: a test or a job can call it without making one up.
 */
export type CallerContext<Part extends keyof Platform = never> = Pick<Platform, Part> &
  Pick<CallerFields, 'caller'>
