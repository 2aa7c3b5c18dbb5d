import type { Billing } from '@slipway/sdk/client/types.gen.ts'
import { billingText } from '../../../text/billing.en.ts'

const words = billingText.usage
const ROWS = ['projects', 'liveProjects', 'builds'] as const

/** How much of each limit is used. */
export function Usage({ state }: { state: Billing }) {
  const { used, limit } = state.liveProjects
  return (
    <section aria-labelledby="usage" className="space-y-3">
      <h2 id="usage" className="text-[15px] font-semibold text-kumo-strong">
        {words.title}
      </h2>
      <dl className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {ROWS.map((row) => (
          <UsageRow key={row} label={words[row]} {...state[row]} />
        ))}
      </dl>
      {limit !== null && used > limit && <p className="text-kumo-subtle">{words.over}</p>}
    </section>
  )
}

function UsageRow({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  return (
    <div className="px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <dt className="text-kumo-default">{label}</dt>
        <dd className="text-kumo-subtle tabular-nums">
          {limit === null ? words.unlimited(used) : words.of(used, limit)}
        </dd>
      </div>
      {limit !== null && (
        <dd>
          <progress
            className="mt-1.5 block h-1.5 w-full accent-tide"
            aria-label={label}
            max={limit}
            value={Math.min(used, limit)}
          />
        </dd>
      )}
    </div>
  )
}
