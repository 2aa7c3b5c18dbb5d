/** Formats a duration: `320 ms`, `12 s`, `2 min 4 s`. */
export function formatDuration(ms: number): string {
  if (ms < 950) return `${Math.max(1, Math.round(ms))} ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Formats a duration like a clock: `0:07`, `12:45`. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Formats a count in about four characters: `940`, `12.4k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

const UNIT_SECONDS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const CLOCKS_DIFFER_SECONDS = 3
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a time relative to now: `just now`, `5 minutes ago`, `yesterday`, `within a minute`. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  for (const [unit, size] of UNIT_SECONDS)
    // Round down, because people rely on the time that is left. Tolerate 5 percent of a unit, so that
    // something 7 days away is `in 7 days` for an hour before it becomes `in 6 days`.
    if (Math.abs(seconds) >= size)
      return relativeFormat.format(Math.trunc(seconds / size + (seconds > 0 ? 0.05 : 0)), unit)
  // Clocks of two machines differ by seconds, so a time that has just passed may seem to be in the future.
  return seconds > CLOCKS_DIFFER_SECONDS ? 'within a minute' : 'just now'
}

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** Formats the day of a time: `November 26, 2026`. Returns a text unchanged when it is not a time. */
export function formatDay(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : dayFormat.format(date)
}

/** Formats a size in powers of ten, as providers bill it: `940 B`, `12.4 kB`, `95 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  // The unit of the rounded size: 999,950 bytes are 1 MB and not 1000 kB.
  const power = Math.min(units.length, Math.floor(Math.log10(Number(bytes.toPrecision(3))) / 3))
  const value = bytes / 1000 ** power
  return `${value < 100 ? Number(value.toFixed(1)) : Math.round(value)} ${units[power - 1]}`
}

/** Formats an estimated amount of dollars: `about $0.42`, `less than $0.01`. */
export const formatCost = (usd: number): string =>
  usd < 0.01 ? 'less than $0.01' : `about $${usd.toFixed(2)}`

/** Formats a count with its noun: `1 file`, `4 files`. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`

/** Puts a title into the middle of a sentence: `Media server` becomes `media server`, and `AI gateway` stays. */
export const lowerFirstLetter = (title: string): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

/** Formats a month `YYYY-MM`: `December 2026`. */
export const formatMonth = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** Formats the first day after a month `YYYY-MM`: `January 1, 2027`. */
export function dayAfterMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const first = new Date(Date.UTC(year, number))
  return first.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
