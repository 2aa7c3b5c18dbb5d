import { GaugeIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { type MeterLimit, meterUsageQuery } from './query.ts'
import { meterText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { LimitForm, limitsOf } from './limit-form.tsx'

export function MeterUsage({ projectId }: { projectId: string }) {
  const usage = useQuery(meterUsageQuery(projectId))
  const capability = useQuery(capabilityQuery(projectId, 'meter'))
  if (usage.isPending) return <LiveSkeleton />
  if (!usage.data)
    return <LiveFailure projectId={projectId} error={usage.error} onRetry={() => void usage.refetch()} />
  const { limits } = usage.data
  const stored = capability.data && limitsOf(capability.data)
  if (limits.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<GaugeIcon />}
        title={meterText.empty}
        hint={meterText.emptyHint}
      />
    )
  return (
    <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {limits
        // Show a saved limit at once. The live app reports it a moment later.
        .map((one) => ({ ...one, limit: stored?.[one.key] ?? one.limit }))
        .map((one) => (
          <li key={one.key}>
            <MeterLine projectId={projectId} meter={one} isChangeable={stored !== undefined} />
          </li>
        ))}
    </ul>
  )
}

function MeterLine(props: {
  projectId: string
  meter: MeterLimit
  /** False while the limits that were changed in the console are loading: until then the limit that the app reports is shown. */
  isChangeable: boolean
}) {
  const { projectId, meter, isChangeable } = props
  const { key, per, window, limit, windowEnd, spent, people } = meter
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium break-words text-kumo-strong">{key}</p>
          <p className="text-[13px] text-kumo-subtle">
            {meterText.limit(limit, meterText.per[per], meterText.windows[window])}
            {windowEnd !== null && (
              <>
                {' '}
                · {meterText.resets} <RelativeTime at={windowEnd} />
              </>
            )}
          </p>
        </div>
        <p className="text-kumo-default tabular-nums">
          {per === 'app' ? meterText.spentOf(spent, limit) : meterText.spentBy(spent, people, per)}
        </p>
        {isChangeable && (
          <Button
            ref={button}
            size="sm"
            aria-label={meterText.changeOf(key)}
            aria-expanded={isOpen}
            onClick={() => (isOpen ? close() : setIsOpen(true))}
          >
            {meterText.change}
          </Button>
        )}
      </div>
      {isOpen && isChangeable && <LimitForm projectId={projectId} meter={meter} onDone={close} />}
    </>
  )
}
