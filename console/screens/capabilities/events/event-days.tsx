import type { EventDay } from './query.ts'
import { eventsText } from './text.en.ts'

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = ({ day }: EventDay) => dayFormat.format(new Date(`${day}T00:00:00Z`))

export function EventDays({ days }: { days: EventDay[] }) {
  const totals = days.map(({ views, events }) => views + events)
  const most = Math.max(...totals)
  const top = days[totals.indexOf(most)]
  if (top === undefined || most === 0) return null
  const named = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].filter((day) => day !== undefined)
  const height = (count: number) => ({ height: `${(count / most) * 100}%` })
  return (
    <figure>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="flex w-10 shrink-0 flex-col justify-between text-right text-[13px] text-kumo-subtle tabular-nums"
        >
          <span>{most.toLocaleString('en')}</span>
          <span>0</span>
        </div>
        <div
          role="img"
          aria-label={eventsText.dayChart(most, dayText(top))}
          className="flex h-36 min-w-0 grow items-end gap-px border-b border-kumo-line sm:gap-1"
        >
          {days.map((day) => (
            <span
              key={day.day}
              title={eventsText.dayTotal(dayText(day), day.views, day.events)}
              className="flex h-full min-w-0 grow flex-col justify-end"
            >
              <span className="block rounded-t-sm bg-hull" style={height(day.events)} />
              <span className="block bg-tide" style={height(day.views)} />
            </span>
          ))}
        </div>
      </div>
      <div
        aria-hidden="true"
        className="mt-1 ml-12 flex justify-between text-[13px] text-kumo-subtle tabular-nums"
      >
        {named.map((day) => (
          <span key={day.day}>{dayText(day)}</span>
        ))}
      </div>
      <figcaption className="mt-3 ml-12 flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
        <LegendKey paint="bg-tide">{eventsText.dayKeys[0]}</LegendKey>
        <LegendKey paint="bg-hull">{eventsText.dayKeys[1]}</LegendKey>
      </figcaption>
    </figure>
  )
}

function LegendKey({ paint, children }: { paint: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2.5 rounded-sm ${paint}`} />
      {children}
    </span>
  )
}
