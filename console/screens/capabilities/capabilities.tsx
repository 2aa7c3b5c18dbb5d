import type { ListCapabilitiesResponses } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { capabilitiesQuery } from '../../api/project/capabilities.ts'
import { href } from '../../routes.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { infoOf, stateOf } from './capability-info.ts'

type Listed = ListCapabilitiesResponses[200]['data'][number]

/** All capabilities of an app. */
export function Capabilities() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/capabilities' })
  const capabilities = useQuery(capabilitiesQuery(projectId))
  const all = capabilities.data ?? []
  const isReady = ({ key }: Listed) => infoOf(key)?.isBuilt === true
  return (
    <SectionPage projectId={projectId} title={capabilitiesText.title} lead={capabilitiesText.lead}>
      {capabilities.isPending && <GallerySkeleton />}
      {capabilities.isError && !capabilities.data && (
        <FailureNote
          title={text.failure.title}
          error={capabilities.error}
          onRetry={() => void capabilities.refetch()}
        />
      )}
      {capabilities.data && (
        <div className="space-y-10">
          <Gallery projectId={projectId} title={capabilitiesText.ready} items={all.filter(isReady)} />
          <Gallery
            projectId={projectId}
            title={capabilitiesText.later}
            hint={capabilitiesText.laterHint}
            items={all.filter((item) => !isReady(item))}
          />
        </div>
      )}
    </SectionPage>
  )
}

function Gallery(props: { projectId: string; title: string; hint?: string; items: Listed[] }) {
  if (props.items.length === 0) return null
  return (
    <section>
      <h2 className="text-[15px] font-semibold text-kumo-strong">{props.title}</h2>
      {props.hint && <p className="text-[13px] text-kumo-subtle">{props.hint}</p>}
      <ul className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2">
        {props.items.map((item) => (
          <CapabilityCard key={item.key} projectId={props.projectId} item={item} />
        ))}
      </ul>
    </section>
  )
}

function CapabilityCard({ projectId, item }: { projectId: string; item: Listed }) {
  const { tone, word } = stateOf(item)
  return (
    <li className="relative flex flex-col gap-1.5 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line hover:ring-kumo-interact">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 font-medium text-kumo-strong">
          <a
            href={href.capability(projectId, item.key)}
            className="rounded-sm after:absolute after:inset-0 after:rounded-xl"
          >
            {item.title}
          </a>
        </h3>
        <span className="text-[13px]">
          <StateDot tone={tone}>{word}</StateDot>
        </span>
      </div>
      <p>{infoOf(item.key)?.about}</p>
      <p className="mt-auto text-[13px] text-kumo-subtle">
        {capabilitiesText.cost}: {infoOf(item.key)?.cost}
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
