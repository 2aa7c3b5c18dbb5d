import { GaugeIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQuery, type MeterLimit, meterUsageQuery } from '../../../api/project/capabilities.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { RelativeTime } from '../../../ui/words/time.tsx'
import { LiveFailure } from '../live-failure.tsx'
import { LiveSkeleton } from '../live-skeleton.tsx'
import { LimitForm } from './limit-form.tsx'

const words = capabilitiesText.meters

/** The live app's allowances, and how much of each is used in the current window. */
export function MeterUsage({ projectId }: { projectId: string }) {
  const usage = useQuery(meterUsageQuery(projectId))
  const capability = useQuery(capabilityQuery(projectId, 'meter'))
  const [changing, setChanging] = useState<string | null>(null)
  if (usage.isPending) return <LiveSkeleton />
  if (!usage.data)
    return <LiveFailure projectId={projectId} error={usage.error} onRetry={() => void usage.refetch()} />
  const { limits } = usage.data
  const stored = capability.data?.settings['limits'] as Record<string, number> | undefined
  if (limits.length === 0)
    return <EmptyNote icon={<GaugeIcon />} title={words.empty} hint={words.emptyHint} />
  return (
    <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {limits
        // A limit that was just saved reaches the live app a moment later.
        .map((one) => ({ ...one, limit: stored?.[one.key] ?? one.limit }))
        .map((one) => (
          <li key={one.key}>
            <MeterRow
              meter={one}
              onChange={stored === undefined || changing === one.key ? undefined : () => setChanging(one.key)}
            />
            {stored !== undefined && changing === one.key && (
              <LimitForm projectId={projectId} meter={one} stored={stored} onDone={() => setChanging(null)} />
            )}
          </li>
        ))}
    </ul>
  )
}

function MeterRow({ meter, onChange }: { meter: MeterLimit; onChange: (() => void) | undefined }) {
  const { key, per, window, limit, windowEnd, spent, people } = meter
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{key}</p>
        <p className="text-[13px] text-kumo-subtle">
          {words.limit(limit, words.per[per], words.windows[window])}
          {windowEnd !== null && (
            <>
              {' '}
              · {words.resets} <RelativeTime at={windowEnd} />
            </>
          )}
        </p>
      </div>
      <p className="text-kumo-default tabular-nums">
        {per === 'app' ? words.spentOf(spent, limit) : words.spentBy(spent, people, per)}
      </p>
      {onChange !== undefined && (
        <Button size="sm" aria-label={words.changeOf(key)} onClick={onChange}>
          {words.change}
        </Button>
      )}
    </div>
  )
}
