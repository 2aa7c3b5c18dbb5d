import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../kernel/errors.ts'
import type { Call, CallMedia } from '../call.ts'
import { call } from '../client.ts'
import type { CallRoom } from '../room.ts'

export interface UseCallResult {
  /** Null while this page is not in the call. */
  call: Call | null
  isJoining: boolean
  /** Why this page could not join, or was removed from the call. */
  error: ApiError | null
  /**
   * Call `join` in a click handler, because the browser asks the person for the camera. Does nothing while the page joins or is in the
   * call.
   */
  join(media?: CallMedia): Promise<void>
  leave(): void
}

/** An attempt to join. `call` is null until the page is in the call. */
interface JoinAttempt {
  call: Call | null
}

const ignoreChanges = () => () => {}

const isIn = (one: Call): boolean => one.status() !== 'left' && one.status() !== 'refused'

/** Returns the call of a room and renders again after every change. The page leaves the call when the component unmounts. */
export function useCall(room: CallRoom): UseCallResult {
  const [current, setCurrent] = useState<Call | null>(null)
  const [isJoining, setJoining] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  /** Null once the person has left or the component has unmounted. An attempt that finishes after that leaves its call at once. */
  const wanted = useRef<JoinAttempt | null>(null)
  /** The room has one place in the call for this page, so a new attempt waits until the previous one has ended. */
  const lastJoin = useRef<Promise<void>>(Promise.resolve())
  const leave = useCallback(() => {
    wanted.current = null
    setCurrent(null)
    setJoining(false)
  }, [])
  useEffect(() => leave, [room, leave])
  useEffect(() => () => current?.leave(), [current])
  useSyncExternalStore(current?.listen ?? ignoreChanges, current?.version ?? (() => 0), () => 0)
  const join = useCallback(
    (media?: CallMedia): Promise<void> => {
      const known = wanted.current
      if (known !== null && (known.call === null || isIn(known.call))) return lastJoin.current
      const attempt: JoinAttempt = { call: null }
      wanted.current = attempt
      setJoining(true)
      setFailure(null)
      const joinRoom = async () => {
        if (wanted.current !== attempt) return
        try {
          const joined = await call.join(room, media)
          if (wanted.current !== attempt) return joined.leave()
          attempt.call = joined
          setCurrent(joined)
        } catch (error) {
          if (wanted.current !== attempt) return
          wanted.current = null
          setFailure(
            error instanceof ApiError ? error : new ApiError('server_error', 'The call could not be joined.'),
          )
        }
        setJoining(false)
      }
      lastJoin.current = lastJoin.current.then(joinRoom)
      return lastJoin.current
    },
    [room],
  )
  return {
    call: current !== null && isIn(current) ? current : null,
    isJoining,
    error: failure ?? current?.error() ?? null,
    join,
    leave,
  }
}
