import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000
const minuteListeners = new Set<() => void>()
let tickTimer: ReturnType<typeof setInterval> | undefined

function addTickListener(listener: () => void): () => void {
  minuteListeners.add(listener)
  tickTimer ??= setInterval(() => {
    for (const tick of minuteListeners) tick()
  }, SECOND_MS)
  return () => {
    minuteListeners.delete(listener)
    if (minuteListeners.size > 0) return
    clearInterval(tickTimer)
    tickTimer = undefined
  }
}

/** Returns the current time in milliseconds since 1970, rounded to seconds. The component renders again when it changes. */
export function useNow(): number {
  const now = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS
  return useSyncExternalStore(addTickListener, now, now)
}

/** Returns today's date in the person's time zone, such as `2026-11-20`. The component renders again when it changes. */
export const useToday = (): string => useSyncExternalStore(addTickListener, todayDate, todayDate)

const todayDate = (): string => localDate(new Date())

/** Returns the day of a date or time in the person's time zone. A date, or a time without a zone, has the same day everywhere. */
export const dayOf = (date: string): string =>
  /T.*(Z|[+-]\d\d:\d\d)$/.test(date) ? localDate(new Date(date)) : date.slice(0, 10)

/** Returns the date of a time in the person's time zone, such as `2026-11-20`. */
export const localDate = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
