import type { ListCapabilitiesResponses } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { capabilitiesQuery } from '../../api/project/capabilities.ts'
import { href } from '../../routes.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { metadataOf, capabilityState } from './capability-metadata.ts'

type ListedCapability = ListCapabilitiesResponses[200]['data'][number]

export function Capabilities() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/capabilities' })
  const capabilities = useQuery(capabilitiesQuery(projectId))
  return (
    <SectionPage projectId={projectId} title={capabilitiesText.title} lead={capabilitiesText.lead}>
      {capabilities.isPending && <GallerySkeleton />}
      <LoadFailure query={capabilities} />
      {capabilities.data && <CapabilityGallery projectId={projectId} items={capabilities.data} />}
    </SectionPage>
  )
}

function CapabilityGallery({ projectId, items }: { projectId: string; items: ListedCapability[] }) {
  return (
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {items.map((item) => (
        <CapabilityCard key={item.key} projectId={projectId} item={item} />
      ))}
    </ul>
  )
}

function CapabilityCard({ projectId, item }: { projectId: string; item: ListedCapability }) {
  const { tone, word } = capabilityState(item)
  return (
    <li className="relative flex flex-col gap-1.5 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line hover:ring-kumo-interact">
      <div className="flex items-center justify-between gap-3">
        <h2 className="min-w-0 font-medium text-kumo-strong">
          <a
            href={href.capability(projectId, item.key)}
            className="rounded-sm after:absolute after:inset-0 after:rounded-xl"
          >
            {item.title}
          </a>
        </h2>
        <span className="text-[13px]">
          <StateDot tone={tone}>{word}</StateDot>
        </span>
      </div>
      <p>{metadataOf(item.key)?.about}</p>
      <p className="mt-auto text-[13px] text-kumo-subtle">
        {capabilitiesText.cost}: {metadataOf(item.key)?.cost}
      </p>
      {item.provision.error && (
        <p className="text-[13px] break-words text-removed">{item.provision.error.message}</p>
      )}
    </li>
  )
}

function GallerySkeleton() {
  return (
    <Skeleton>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {[1, 2, 3, 4].map((card) => (
          <div key={card} className="space-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
            <Bar className="w-1/3" />
            <Bar className="w-3/4" />
            <Bar className="w-1/2" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
