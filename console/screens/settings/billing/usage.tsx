import type { Billing } from '@slipway/sdk/client/types.gen.ts'
import { billingText } from '../../../text/billing.en.ts'

const usageText = billingText.usage
const USAGE_ROWS = ['projects', 'liveProjects', 'builds'] as const

export function Usage({ state }: { state: Billing }) {
  const { used, limit } = state.liveProjects
  return (
    <section aria-labelledby="usage" className="space-y-3">
      <h2 id="usage" className="text-[15px] font-semibold text-kumo-strong">
        {usageText.title}
      </h2>
      <ul className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {USAGE_ROWS.map((row) => (
          <UsageRow key={row} label={usageText[row]} {...state[row]} />
        ))}
      </ul>
      {limit !== null && used > limit && <p className="text-kumo-subtle">{usageText.over}</p>}
    </section>
  )
}

function UsageRow({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <p className="text-kumo-default">{label}</p>
        <p className="text-kumo-subtle tabular-nums">
          {limit === null ? usageText.unlimited(used) : usageText.of(used, limit)}
        </p>
      </div>
      {limit !== null && (
        <progress
          className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-kumo-fill [&::-moz-progress-bar]:bg-tide [&::-webkit-progress-bar]:bg-kumo-fill [&::-webkit-progress-value]:bg-tide"
          aria-label={label}
          max={limit}
          value={Math.min(used, limit)}
        />
      )}
    </li>
  )
}
