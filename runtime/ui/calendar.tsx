import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayOf, useToday } from '../web/clock.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { DAY_MS } from '../kernel/durations.ts'

interface CalendarItem {
  key: string
  /** A day such as `2026-11-20`, or a time, shown on its day in the person's time zone. Items without a date are not shown. */
  date: string | null
  title: string
}

interface CalendarProps {
  label: string
  items: readonly CalendarItem[]
  onOpen?: ((key: string) => void) | undefined
  onAdd?: ((day: string) => void) | undefined
}

type CalendarView = 'month' | 'week'

const DAYS_PER_KEY: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

// Compute days in UTC, where each has 24 hours. The result is never used as a point in time.
const startOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayAfter = (day: string, days: number) =>
  new Date(startOfDay(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Creates a format once, at its first use: a month has about fifty formatted days, and creating a format is slow. */
function dayFormat(options: Intl.DateTimeFormatOptions): (day: string) => string {
  let format: Intl.DateTimeFormat | undefined
  return (day) => {
    format ??= new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
    return format.format(startOfDay(day))
  }
}
const formatMonth = dayFormat({ month: 'long', year: 'numeric' })
const formatDate = dayFormat({ day: 'numeric', month: 'long', year: 'numeric' })
const formatDay = dayFormat({ weekday: 'long', day: 'numeric', month: 'long' })
const formatWeekday = dayFormat({ weekday: 'long' })
const formatShortWeekday = dayFormat({ weekday: 'short' })

/** Returns 1 for Monday to 7 for Sunday; 1 when the browser does not provide the first day of the week. */
function firstDayOfWeek(): number {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
  }
  return locale.getWeekInfo?.().firstDay ?? 1
}

/** Returns the days to show, always whole weeks. */
function daysOf(day: string, view: CalendarView): string[] {
  const first = view === 'month' ? `${day.slice(0, 7)}-01` : day
  const start = dayAfter(first, -((new Date(startOfDay(first)).getUTCDay() - firstDayOfWeek() + 7) % 7))
  const month = day.slice(0, 7)
  const weeks =
    view === 'week' ? 1 : [4, 5].filter((week) => dayAfter(start, week * 7).startsWith(month)).length + 4
  return Array.from({ length: weeks * 7 }, (_, i) => dayAfter(start, i))
}

/** Returns the same day of another month, or the last day of that month when that month is shorter. */
function monthAfter(day: string, months: number): string {
  const first = new Date(startOfDay(`${day.slice(0, 7)}-01`))
  first.setUTCMonth(first.getUTCMonth() + months)
  const next = first.toISOString().slice(0, 8) + day.slice(8)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return Number(day.slice(8)) > days ? next.slice(0, 8) + days : next
}

/** Shows items by day, for a month or a week. Arrow keys move from day to day. On a phone, the items of the chosen day are listed below. */
export function Calendar({ label, items, onOpen, onAdd }: CalendarProps) {
  const today = useToday()
  const [chosen, setChosen] = useState<string | null>(null)
  const [view, setView] = useState<CalendarView>('month')
  const grid = useRef<HTMLTableElement>(null)
  const isByKey = useRef(false)
  const day = chosen ?? today
  const days = daysOf(day, view)
  const dated = items.map((item) => ({ ...item, day: item.date === null ? null : dayOf(item.date) }))
  const on = (one: string) => dated.filter((item) => item.day === one)
  useEffect(() => {
    if (isByKey.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isByKey.current = false
  }, [day])

  const turn = (by: number) => setChosen(view === 'month' ? monthAfter(day, by) : dayAfter(day, by * 7))
  const pressKey = (event: KeyboardEvent) => {
    const pages = { PageUp: -1, PageDown: 1 }[event.key]
    const step = DAYS_PER_KEY[event.key]
    // Leave keys pressed with Alt, Ctrl or Meta to the browser: Alt and an arrow goes back a page.
    const isHeld = event.altKey || event.ctrlKey || event.metaKey
    if (isHeld || (step === undefined && pages === undefined)) return
    event.preventDefault()
    isByKey.current = true
    setChosen(step === undefined ? monthAfter(day, pages ?? 0) : dayAfter(day, step))
  }
  const itemOf = ({ key, title }: CalendarItem) => (
    <li key={key}>
      {onOpen === undefined ? (
        <span className="calendar-item">{title}</span>
      ) : (
        <button type="button" className="calendar-item" onClick={() => onOpen(key)}>
          {title}
        </button>
      )}
    </li>
  )
  const title = view === 'month' ? formatMonth(day) : formatDate(days[0] ?? day)
  return (
    <section className="calendar" aria-label={label}>
      <div className="calendar-bar">
        <h2 aria-live="polite">{title}</h2>
        <div className="chips" role="group" aria-label="View">
          {(['month', 'week'] as const).map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={view === one}
              onClick={() => setView(one)}
            >
              {one === 'month' ? 'Month' : 'Week'}
            </button>
          ))}
        </div>
        <div className="calendar-turn">
          <button
            type="button"
            className="icon-button"
            aria-label={`Previous ${view}`}
            onClick={() => turn(-1)}
          >
            <Icon name="back" />
          </button>
          <Button size="small" onClick={() => setChosen(null)}>
            Today
          </Button>
          <button type="button" className="icon-button" aria-label={`Next ${view}`} onClick={() => turn(1)}>
            <Icon name="next" />
          </button>
        </div>
      </div>
      <table ref={grid} className="calendar-grid" data-view={view} aria-label={title} onKeyDown={pressKey}>
        <thead>
          <tr>
            {days.slice(0, 7).map((one) => (
              <th key={one} scope="col">
                <abbr title={formatWeekday(one)}>{formatShortWeekday(one)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: days.length / 7 }, (_, week) => (
            <tr key={days[week * 7]}>
              {days.slice(week * 7, week * 7 + 7).map((one) => (
                <td key={one} data-other={view === 'month' && !one.startsWith(day.slice(0, 7))}>
                  <button
                    type="button"
                    className="calendar-day"
                    tabIndex={one === day ? 0 : -1}
                    aria-pressed={one === day}
                    aria-current={one === today ? 'date' : undefined}
                    aria-label={`${formatDay(one)}, ${on(one).length} ${label.toLowerCase()}`}
                    onClick={() => setChosen(one)}
                    onDoubleClick={() => onAdd?.(one)}
                  >
                    {Number(one.slice(8))}
                  </button>
                  {on(one).length > 0 && <ul className="calendar-items">{on(one).map(itemOf)}</ul>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="calendar-chosen">
        <h3>{formatDay(day)}</h3>
        <ul className="calendar-agenda">{on(day).map(itemOf)}</ul>
        {on(day).length === 0 && <p>Nothing on this day.</p>}
        {onAdd !== undefined && (
          <Button size="small" onClick={() => onAdd(day)}>
            Add on this day
          </Button>
        )}
      </div>
    </section>
  )
}
