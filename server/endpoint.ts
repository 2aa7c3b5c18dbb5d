import { type Declare, declareEndpoint } from './http/endpoint.ts'
import type { CallerFields, RequestFields } from './http/context.ts'
import type { Needs, Ports } from './platform.ts'

export { group } from './http/endpoint.ts'

/** Declares one endpoint of this service. Its handler gets the ports that `needs` names, and no others. */
export const endpoint: Declare<Ports> = declareEndpoint

export type RequestContext<Port extends keyof Ports = never> = Needs<Port> & RequestFields

/** The context of a request with a signed-in caller: the core, the declared ports, and the caller. */
export type Context<Port extends keyof Ports = never> = Needs<Port> & CallerFields
