import { useSyncExternalStore } from 'react'

/** A value outside of React. Code reads and sets it; components follow it with `useStore`. */
export interface Store<T> {
  get: () => T
  /** Replaces the value and calls every subscriber, unless the value is the same. */
  set: (next: T) => void
  /** Calls `listener` after every change. Returns the function that unsubscribes it. */
  subscribe: (listener: () => void) => () => void
}

/** Creates a store. Subscribers are called synchronously inside `set`. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type ReadableStore<T> = Pick<Store<T>, 'get' | 'subscribe'>

/**
 * Returns the value of a store, or the part that `select` returns. The component renders again when the returned value changes. `select`
 * must return a primitive or an existing part of the store: a new object each time would render without end.
 */
export function useStore<T>(store: ReadableStore<T>): T
export function useStore<T, Part>(store: ReadableStore<T>, select: (value: T) => Part): Part
export function useStore<T, Part>(store: ReadableStore<T>, select?: (value: T) => Part): T | Part {
  const read = () => (select ? select(store.get()) : store.get())
  return useSyncExternalStore(store.subscribe, read, read)
}
