import { useQuery } from '@tanstack/react-query'
import { renderSpendQuery } from './query.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { MonthSpend } from '../tab-parts/month-spend.tsx'
import { RenderTryOut } from './render-try-out.tsx'

const pageSpendText = capabilitiesText.spend.pages

export function RenderSpend({ projectId }: { projectId: string }) {
  const spend = useQuery(renderSpendQuery(projectId))
  if (spend.isPending) return <LiveSkeleton />
  if (!spend.data)
    return <LiveFailure projectId={projectId} error={spend.error} onRetry={() => void spend.refetch()} />
  return (
    <div className="space-y-4">
      <MonthSpend
        projectId={projectId}
        capabilityKey="render"
        spend={spend.data}
        used={pageSpendText.used}
        hint={pageSpendText.hint}
      />
      <RenderTryOut projectId={projectId} isUsedUp={spend.data.used >= spend.data.monthly} />
    </div>
  )
}
