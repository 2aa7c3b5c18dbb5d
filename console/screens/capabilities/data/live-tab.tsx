import { DatabaseIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from '../../../api/project/capabilities.ts'
import { href } from '../../../routes.ts'
import { dataText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { fieldLabel } from './record-fields.ts'

export function Collections({ projectId }: { projectId: string }) {
  const collections = useQuery(collectionsQuery(projectId))
  if (collections.isPending) return <LiveSkeleton />
  if (!collections.data)
    return (
      <LiveFailure
        projectId={projectId}
        error={collections.error}
        onRetry={() => void collections.refetch()}
      />
    )
  if (collections.data.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<DatabaseIcon />}
        title={dataText.empty}
        hint={dataText.emptyHint}
      />
    )
  return (
    <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {collections.data.map((collection) => (
        <li key={collection.name} className="relative px-4 py-3 hover:bg-kumo-tint">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="font-medium text-kumo-strong">
              <a
                href={href.collection(projectId, collection.name)}
                className="rounded-sm after:absolute after:inset-0"
              >
                {collection.title}
              </a>
            </h2>
            <p className="text-[13px] text-kumo-subtle">
              {dataText.count(collection.count)}
              {collection.updatedAt !== null && (
                <>
                  , {dataText.changed} <RelativeTime at={collection.updatedAt} />
                </>
              )}
            </p>
          </div>
          <p className="truncate text-[13px] text-kumo-subtle">
            {collection.fields.map(fieldLabel).join(', ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
