import type { Ceiling } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { ceilingsQuery } from '../../../api/organization/connections.ts'
import { connectionsText } from '../../../text/connections.en.ts'

const ceilingsText = connectionsText.ceilings
/** A warning is shown when at least this share of a limit is used. */
const WARNING_SHARE = 0.8

export function ConnectionCeilings() {
  const { data = [] } = useQuery(ceilingsQuery())
  const nearlyFull = data.filter((one) => one.used >= ceilingOf(one) * WARNING_SHARE)
  return (
    <>
      {data.length > 0 && (
        <dl aria-label={ceilingsText.label} className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-[13px]">
          {data.map((one) => (
            <div key={one.thing} className="flex gap-1.5">
              <dt className="text-kumo-subtle">{ceilingsText.things[one.thing]}</dt>
              <dd className="tabular-nums">
                {ceilingsText.of(formatWhole(one.used), formatWhole(ceilingOf(one)))}
                {ceilingOf(one) < one.paid && (
                  <span className="text-kumo-subtle"> ({ceilingsText.paid(formatWhole(one.paid))})</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {nearlyFull.map((one) => (
        <p
          key={one.thing}
          role="status"
          className="mt-3 rounded-lg bg-kumo-warning-tint px-3.5 py-2.5 text-kumo-strong"
        >
          {ceilingsText.nearlyFull(
            ceilingsText.things[one.thing],
            formatWhole(one.used),
            formatWhole(ceilingOf(one)),
          )}
        </p>
      ))}
    </>
  )
}

const formatWhole = (count: number): string => count.toLocaleString('en')

/** Returns the limit to compare with. An account that uses more than the free plan allows must be on the paid plan. */
const ceilingOf = ({ used, free, paid }: Ceiling): number => (used > free ? paid : free)
