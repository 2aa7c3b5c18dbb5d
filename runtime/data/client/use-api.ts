import { useCallback, useEffect, useRef, useState } from 'react'
import { onRestart, pageStore } from './page-store.ts'
import type { CollectionName } from '../types.ts'
import { ApiError } from '../../kernel/errors.ts'
import { api } from '../../web/api.ts'

interface ReadState<T> {
  /** The path that was read; null before the first result. */
  path: string | null
  data: T | null
  error: ApiError | null
}

const NOT_READ: ReadState<never> = { path: null, data: null, error: null }

interface ApiRead<T> extends Pick<ReadState<T>, 'data' | 'error'> {
  status: 'loading' | 'ready' | 'failed'
  reload: () => void
}

/**
 * Returns the result of `GET path`. Reads it again when a record of a collection in `follow` changes, for routes that compute from records,
 * and when another person signs in.
 * Only collections that the visitor may read can be followed.
 */
export function useApi<T = unknown>(
  path: string,
  { follow = [] }: { follow?: readonly CollectionName[] | undefined } = {},
): ApiRead<T> {
  const [read, setRead] = useState<ReadState<T>>(NOT_READ)
  // Several changes during a read cause only one more read.
  const running = useRef<{ path: string; again: boolean } | null>(null)
  const reload = useCallback(() => {
    if (running.current?.path === path) {
      running.current.again = true
      return
    }
    const run = { path, again: true }
    running.current = run
    const readUntilFresh = async () => {
      while (run.again) {
        run.again = false
        const next = await api.get<T>(path).then(
          (data) => ({ data, error: null }),
          (error: unknown) => ({
            error: error instanceof ApiError ? error : new ApiError('server_error', String(error)),
          }),
        )
        // The path has changed since, so ignore this result.
        if (running.current !== run) return
        setRead((before) => ({ data: before.path === path ? before.data : null, ...next, path }))
      }
      running.current = null
    }
    void readUntilFresh()
  }, [path])
  const followed = follow.join(' ')
  useEffect(() => {
    reload()
    const names = followed === '' ? [] : followed.split(' ')
    const ends = names.map((name) => pageStore(name).follow([name], reload))
    const endRestarts = onRestart((hasLeft) => {
      // The next person must not see a result of the previous person, nor such a result that arrives late.
      if (hasLeft) {
        running.current = null
        setRead(NOT_READ)
      }
      reload()
    })
    ends.push(endRestarts)
    return () => {
      running.current = null
      for (const end of ends) end()
    }
  }, [reload, followed])
  // Until the new path is read, nothing of the previous path is shown.
  const { data, error, path: known } = read.path === path ? read : NOT_READ
  const status = error !== null ? 'failed' : known === null ? 'loading' : 'ready'
  return { data, error, status, reload }
}
