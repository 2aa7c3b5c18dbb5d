import type { ResultMethod } from '../kernel/calls.ts'
import type { ConnectObjectCalls } from './calls.ts'
import type { StoredConnection } from './store.ts'

export interface Methods {
  /** Called on the object of the person. */
  connections: ResultMethod<ConnectObjectCalls>
  countConnections(): Promise<number>
}

export interface Head {
  /** The credentials stay encrypted. Their key moves with the project's secrets. */
  connections?: StoredConnection[] | null
}
