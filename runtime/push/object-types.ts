import type { ResultMethod, Method } from '../kernel/objects/calls.ts'
import type { PushDump } from './devices.ts'
import type { PushObjectCalls, PushOwnerCalls } from './types.ts'

export interface Methods {
  push: ResultMethod<PushObjectCalls>
  countPushDevices(): Promise<number>
  /** Handled by the Durable Object of the directory. */
  pushOwners: Method<PushOwnerCalls>
}

export interface Head {
  push?: PushDump | null
}
