import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { ConnectObjectCalls } from './calls.ts'
import type { StoredConnection } from './store.ts'

export interface Methods {
  /** Called on the Durable Object of the person. */
  connections: ResultMethod<ConnectObjectCalls>
  countConnections(): Promise<number>
}

export interface Head {
  /** The credentials stay encrypted. The new cloud account gets the project's secrets, so it can decrypt them. */
  connections?: StoredConnection[] | null
}
