const sameYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** The current time, rounded down to the minute, so that a new time renders memoised tickets again at most once a minute. */
export const currentMinute = (): number => Math.floor(Date.now() / 60_000) * 60_000

/** Formats a day, with its year only if it is not the current one: `Nov 30`. */
export function formatDueDay(at: string, now: number): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(date)
}

/** The day of a due time, as a date field needs it, in the reader's time zone. */
export function dayOf(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * The due time for a chosen day: the last moment of that day in the person's time zone. An empty day removes the due time. A date field
 * whose year was typed with two digits has a year like 0026, which is read as 2026.
 */
export function dueAtOf(day: string): string | null {
  if (day === '') return null
  const end = new Date(`${day.replace(/^00(?=\d\d-)/, '20')}T23:59:59`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
