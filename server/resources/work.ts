import type { Ports } from '../platform.ts'
import type { MakingParts, PublishParts, ResourceWorkOf } from '../resource-ports.ts'

export type { ProjectRef } from '../resource-ports.ts'

/** Work on the resources of one project in its cloud account. `Port` names the ports that it uses beside `accounts`. */
export type ResourceWork<Port extends keyof Ports = never> = ResourceWorkOf<Pick<Ports, Port>>

/** The ports that publishing an app may use: for the settings and secrets of its workers, and to bundle it. */
export type PublishPorts = keyof PublishParts

/** The ports that creating a resource of any kind may use. Only jobs create resources of every kind. */
export type MakingPorts = keyof MakingParts
