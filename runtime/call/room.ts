import type { ApiError } from '../kernel/errors.ts'
import type { CallRequests, CallParticipation, Signal } from './types.ts'

/** A page in the room of a call. */
interface RoomPeer {
  id: string
  /** Null for a visitor. */
  userId: string | null
  presence: unknown
  /** Absent when the page is not in the call. */
  call?: CallParticipation
}

/** The part of `Room` (folder `live`) that a call uses. Declared here, because `live` imports this folder and not the reverse. */
export interface CallRoom {
  join(): Promise<void>
  leave(): void
  /** Returns the id of this page in the room; null while it is not in the room. */
  me(): string | null
  peers(): RoomPeer[]
  /** Returns `refused` when the page may not enter the room. */
  status(): string
  error(): ApiError | null
  /** Calls `listener` after every change. Returns the function that unsubscribes. */
  listen(listener: () => void): () => void
  readonly rtc: {
    ask<Kind extends keyof CallRequests>(
      kind: Kind,
      ask: CallRequests[Kind]['ask'],
    ): Promise<CallRequests[Kind]['answer']>
    send(to: string, data: Signal): void
    listen(listener: (from: string, data: Signal) => void): () => void
  }
}
