import type { ResultMethod } from '../kernel/calls.ts'
import type { RoomObjectCalls } from './types.ts'

export interface Methods {
  rooms: ResultMethod<RoomObjectCalls>
}

export interface Head {
  rooms?: string[]
}
