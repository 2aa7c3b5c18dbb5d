import { type Declare, declareEndpoint } from './http/endpoint.ts'
import type { CallerFields, RequestFields } from './http/context.ts'
import type { Needs, Ports } from './platform.ts'

export { group } from './http/endpoint.ts'

/** Declares one endpoint of this service. Its handler gets the ports that `needs` names, and no others. */
export const endpoint: Declare<Ports> = declareEndpoint

/** A request without a caller (public endpoints), with the core and the named ports. */
export type RequestContext<Port extends keyof Ports = never> = Needs<Port> & RequestFields

/** A request with its caller, the core and the named ports: the first parameter of what acts for a caller. */
export type Context<Port extends keyof Ports = never> = Needs<Port> & CallerFields
