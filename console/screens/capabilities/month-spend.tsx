import { useId } from 'react'
import { capabilitiesText } from '../../text/capabilities.en.ts'

const words = capabilitiesText.spend

/** How much of a budget is spent in its month, as a sentence and a bar. */
export function MonthSpend(props: {
  spend: { month: string; used: number; monthly: number }
  used: (used: number, monthly: number) => string
  hint: string
}) {
  const { month, used, monthly } = props.spend
  const id = useId()
  const left = Math.max(0, monthly - used)
  const color = left === 0 ? 'bg-kumo-danger' : 'bg-tide'
  return (
    <section className="space-y-3 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p id={id} className="font-medium text-kumo-strong tabular-nums">
          {props.used(used, monthly)}
        </p>
        <p className="text-[13px] text-kumo-subtle tabular-nums">
          {words.left(left)} · {words.until(nameOf(month))}
        </p>
      </div>
      <div
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={monthly}
        aria-valuenow={Math.min(used, monthly)}
        className="h-2 overflow-hidden rounded-full bg-kumo-fill"
      >
        <div
          className={`h-full rounded-full ${color}`}
          style={{ width: `${Math.min(100, (used / monthly) * 100)}%` }}
        />
      </div>
      <p className="text-[13px] text-kumo-subtle">{props.hint}</p>
    </section>
  )
}

const nameOf = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
