import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../kernel/errors.ts'
import { type Call, call, type CallMedia } from '../client.ts'
import type { CallRoom } from '../room.ts'

export interface UsedCall {
  /** Null while this page is not in the call. */
  call: Call | null
  isJoining: boolean
  /** Why this page could not join, or was removed from the call. */
  error: ApiError | null
  /** Call it from a click, because the browser asks the person for the camera. */
  join(media?: CallMedia): Promise<void>
  leave(): void
}

const ignoreChanges = () => () => {}

/** Returns the call of a room and renders again after every change. The page leaves the call when the component unmounts. */
export function useCall(room: CallRoom): UsedCall {
  const [current, setCurrent] = useState<Call | null>(null)
  const [isJoining, setJoining] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  // A call that is ready only after the component has unmounted is left at once.
  const shown = useRef<CallRoom | null>(null)
  useEffect(() => {
    shown.current = room
    return () => void (shown.current = null)
  }, [room])
  useEffect(() => () => current?.leave(), [current])
  useSyncExternalStore(current?.listen ?? ignoreChanges, current?.version ?? (() => 0), () => 0)
  const join = useCallback(
    async (media?: CallMedia) => {
      setJoining(true)
      setFailure(null)
      try {
        const joined = await call.join(room, media)
        if (shown.current === room) setCurrent(joined)
        else joined.leave()
      } catch (error) {
        setFailure(
          error instanceof ApiError ? error : new ApiError('server_error', 'The call could not be joined.'),
        )
      } finally {
        setJoining(false)
      }
    },
    [room],
  )
  const leave = useCallback(() => setCurrent(null), [])
  const isIn = current !== null && current.status() !== 'left' && current.status() !== 'refused'
  return { call: isIn ? current : null, isJoining, error: failure ?? current?.error() ?? null, join, leave }
}
