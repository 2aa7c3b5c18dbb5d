import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { domainQuery } from '../../api/project/domain.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { DomainCard } from './domain-card.tsx'

export function Domain() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/domain' })
  const domain = useQuery(domainQuery(projectId))
  return (
    <SectionPage projectId={projectId} title={cloudText.domain.title} lead={cloudText.domain.lead}>
      {domain.isPending && (
        <Skeleton>
          <div className="space-y-3 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line">
            <Bar className="w-1/3" />
            <Bar className="w-2/3" />
            <Bar className="w-1/2" />
          </div>
        </Skeleton>
      )}
      <LoadFailure query={domain} />
      {domain.data && <DomainCard projectId={projectId} domain={domain.data} />}
    </SectionPage>
  )
}
