import type { ResultMethod } from '../kernel/calls.ts'
import type { ObjectRooms } from './rooms.ts'
import type { RoomObjectCalls } from './types.ts'

export interface Methods {
  rooms: ResultMethod<RoomObjectCalls>
}

declare module '../kernel/part.ts' {
  interface PartPlace {
    rooms: ObjectRooms
  }
}

export interface Head {
  rooms?: string[]
}
