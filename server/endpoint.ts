import { type DeclareEndpoint, declareEndpoint } from './http/endpoint.ts'
import type { CallerFields, RequestFields } from './http/context.ts'
import type { PlatformPorts, Ports } from './platform.ts'

export { group } from './http/endpoint.ts'

/** Declares one endpoint of this service. Its handler gets `Core` and those parts of the service (ports) that `needs` names. */
export const endpoint: DeclareEndpoint<Ports> = declareEndpoint

export type RequestContext<Port extends keyof Ports = never> = PlatformPorts<Port> & RequestFields

/**
 * The context of a request with a known caller: `Core`, the parts of the service that `Port` names, and the
 * caller.
 */
export type Context<Port extends keyof Ports = never> = PlatformPorts<Port> & CallerFields
