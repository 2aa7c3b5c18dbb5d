import type { ResultMethod } from '../kernel/calls.ts'
import type { ConnectObjectCalls } from './calls.ts'
import type { StoredConnection } from './store.ts'

export interface Methods {
  /** In the object of the person. */
  connections: ResultMethod<ConnectObjectCalls>
  countConnections(): Promise<number>
}

export interface Head {
  /** Their credentials are sealed; the key moves with the project's secrets. */
  connections?: StoredConnection[] | null
}
