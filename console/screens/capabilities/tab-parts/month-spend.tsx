import { useId } from 'react'
import { href } from '../../../routes.ts'
import { Meter } from '../../../ui/page/meter.tsx'
import { formatMonth } from '../../../lib/format.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'

const spendText = capabilitiesText.spend

export function MonthSpend(props: {
  projectId: string
  capabilityKey: 'render' | 'video'
  spend: { month: string; used: number; monthly: number }
  used: (used: number, monthly: number) => string
  hint: string
}) {
  const { month, used, monthly } = props.spend
  const id = useId()
  const left = Math.max(0, monthly - used)
  return (
    <section className="space-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p id={id} className="font-medium text-kumo-strong tabular-nums">
          {props.used(used, monthly)}
        </p>
        <p className="text-[13px] text-kumo-subtle tabular-nums">
          {spendText.left(left, formatMonth(month))}
        </p>
      </div>
      <Meter aria-labelledby={id} used={used} limit={monthly} isNear={left * 10 <= monthly} />
      <p className="text-[13px] text-kumo-subtle">{props.hint}</p>
      {left === 0 && <RaiseLimit projectId={props.projectId} capabilityKey={props.capabilityKey} />}
    </section>
  )
}

export function RaiseLimit(props: { projectId: string; capabilityKey: 'ai' | 'render' | 'video' }) {
  return (
    <a
      href={href.capability(props.projectId, props.capabilityKey)}
      className="inline-block text-[13px] underline underline-offset-2"
    >
      {spendText.raise}
    </a>
  )
}
