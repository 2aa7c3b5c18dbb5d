import { Cron } from 'croner'

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** Only these numbers divide an hour or a day into equal parts. */
const MINUTE_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]
const HOUR_STEPS = [1, 2, 3, 4, 6, 8, 12]

/** Examples of the allowed forms, for error messages. */
export const EVERY_FORMS =
  '"15 minutes", "hour", "6 hours", "day at 07:30", "weekday at 09:00", "monday at 09:00" or "month on 1 at 08:00"'

/** Returns the cron pattern of a repetition in words; null when the words match none of the forms in `EVERY_FORMS`. */
export function patternOf(every: string): string | null {
  const text = every.trim().toLowerCase()
  const [, count, unit] = /^(?:(\d{1,2}) )?(minute|hour)s?$/.exec(text) ?? []
  if (unit !== undefined) return cronOfParts(Number(count ?? 1), unit)
  const [, day = '', date, hour, minute] =
    /^(day|weekday|[a-z]+day|month)(?: on (\d{1,2}))?(?: at (\d{1,2}):(\d{2}))?$/.exec(text) ?? []
  const time = clockTime(hour, minute)
  if (time === null || (date !== undefined && day !== 'month')) return null
  if (day === 'day') return `${time} * * *`
  if (day === 'weekday') return `${time} * * 1-5`
  if (day === 'month') return cronOfMonth(time, Number(date ?? 1))
  return DAY_NAMES.includes(day) ? `${time} * * ${DAY_NAMES.indexOf(day)}` : null
}

function cronOfParts(count: number, unit: string): string | null {
  if (unit === 'minute')
    return MINUTE_STEPS.includes(count) ? (count === 1 ? '* * * * *' : `*/${count} * * * *`) : null
  return HOUR_STEPS.includes(count) ? (count === 1 ? '0 * * * *' : `0 */${count} * * *`) : null
}

/** Only up to the 28th, because February has no later day in most years. */
const cronOfMonth = (time: string, date: number): string | null =>
  date >= 1 && date <= 28 ? `${time} ${date} * *` : null

function clockTime(hour = '0', minute = '00'): string | null {
  const [hours, minutes] = [Number(hour), Number(minute)]
  return hours <= 23 && minutes <= 59 ? `${minutes} ${hours}` : null
}

/**
 * Returns whether this is a cron pattern of five parts. Also returns false for a pattern that never matches a time, and for other
 * formats that the cron library accepts, such as `@yearly` or a date.
 */
export function isPattern(pattern: string): boolean {
  try {
    // The years 2000 to 2027 have every calendar that a year can have. A search without an end takes up to 40 ms for each impossible date.
    const inEveryCalendar = `0 ${pattern} 2000-2027`
    const cron = new Cron(inEveryCalendar, { timezone: 'UTC', paused: true, mode: '7-part' })
    return pattern.trim().split(/\s+/).length === 5 && cron.nextRun(new Date('1999-12-31')) !== null
  } catch {
    return false
  }
}

/** Returns the first time after `afterMs`; null when there is none. A time that a clock change skips moves to just after the change. */
export function nextRunTime(pattern: string, timezone: string, afterMs: number): number | null {
  return cronOf(pattern, timezone).nextRun(new Date(afterMs))?.getTime() ?? null
}

const cronOf = (pattern: string, timezone: string): Cron =>
  new Cron(pattern, { timezone, paused: true, mode: '5-part' })
