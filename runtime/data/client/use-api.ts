import { useCallback, useEffect, useRef, useState } from 'react'
import { pageStore } from './page-store.ts'
import type { CollectionName } from '../types.ts'
import { ApiError } from '../../kernel/errors.ts'
import { api } from '../../web/api.ts'

interface ReadState<T> {
  data: T | null
  error: ApiError | null
}

const NOT_READ: ReadState<never> = { data: null, error: null }

interface ApiRead<T> extends ReadState<T> {
  status: 'loading' | 'ready' | 'failed'
  reload: () => void
}

/**
 * Returns the result of `GET path`. Reads it again when a record of a collection in `follow` changes, for routes that compute from records.
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
        setRead((before) => ({ data: before.data, ...next }))
      }
      running.current = null
    }
    void readUntilFresh()
  }, [path])
  const followed = follow.join(' ')
  useEffect(() => {
    setRead(NOT_READ)
    reload()
    const names = followed === '' ? [] : followed.split(' ')
    const ends = names.map((name) => pageStore(name).follow([name], reload))
    return () => {
      running.current = null
      for (const end of ends) end()
    }
  }, [reload, followed])
  const status = read.error !== null ? 'failed' : read.data === null ? 'loading' : 'ready'
  return { ...read, status, reload }
}
