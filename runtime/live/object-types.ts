import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { ObjectRooms } from './rooms.ts'
import type { RoomObjectCalls } from './types.ts'

export interface Methods {
  rooms: ResultMethod<RoomObjectCalls>
}

declare module '../kernel/objects/part.ts' {
  interface PartContext {
    rooms: ObjectRooms
  }
}

export interface Head {
  rooms?: string[]
}
