import type { AnsweringMethod, Method } from '../kernel/calls.ts'
import type { PushDump } from './devices.ts'
import type { PushObjectCalls, PushOwnerCalls } from './types.ts'

export interface Methods {
  push: AnsweringMethod<PushObjectCalls>
  countPushDevices(): Promise<number>
  /** In the directory. */
  pushOwners: Method<PushOwnerCalls>
}

export interface Head {
  push?: PushDump | null
}
