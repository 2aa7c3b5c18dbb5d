import { FileIcon, FilesIcon } from '@phosphor-icons/react'
import type { ListFileObjectsResponses } from '@slipway/sdk/client/types.gen.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { fileObjectsQuery } from '../../api/project/capabilities.ts'
import { href } from '../../routes.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { formatSize } from '../../ui/words/format.ts'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { RelativeTime } from '../../ui/words/time.tsx'
import { LiveFailure } from './live-failure.tsx'
import { LiveSkeleton } from './live-skeleton.tsx'

const FileDialog = lazy(() => import('./file-dialog.tsx').then((module) => ({ default: module.FileDialog })))

export type FileObject = ListFileObjectsResponses[200]['data']['items'][number]

/** What people and code of the live app stored. */
export function FileObjects({ projectId }: { projectId: string }) {
  const files = useInfiniteQuery(fileObjectsQuery(projectId))
  const { key } = useSearch({ from: '/app/projects/$projectId/capabilities/$key' })
  const router = useRouter()
  const open = (to: string | undefined) =>
    router.history.replace(href.capability(projectId, 'files', { tab: 'live', key: to }))
  if (files.isPending) return <LiveSkeleton />
  if (!files.data)
    return <LiveFailure projectId={projectId} error={files.error} onRetry={() => void files.refetch()} />
  const items = files.data.pages.flatMap((page) => page.items)
  if (items.length === 0)
    return (
      <EmptyNote
        icon={<FilesIcon />}
        title={capabilitiesText.files.empty}
        hint={capabilitiesText.files.emptyHint}
      />
    )
  const shown = items.find((item) => item.key === key)
  return (
    <>
      {key !== undefined && shown === undefined && (
        <p className="rounded-lg bg-kumo-fill px-3.5 py-3">{capabilitiesText.files.gone}</p>
      )}
      <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {items.map((item) => (
          <li key={item.key} className="relative flex items-center gap-3 px-4 py-3 hover:bg-kumo-tint">
            <FileIcon className="size-5 shrink-0 text-kumo-subtle" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <button
                type="button"
                aria-label={capabilitiesText.files.open(item.name)}
                onClick={() => open(item.key)}
                className="block max-w-full cursor-pointer truncate rounded-sm font-medium text-kumo-strong after:absolute after:inset-0"
              >
                {item.name}
              </button>
              <p className="truncate text-[13px] text-kumo-subtle">
                {formatSize(item.size)} · {item.contentType} · <RelativeTime at={item.uploadedAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {files.hasNextPage && (
        <LoadMore
          isLoading={files.isFetchingNextPage}
          error={files.isFetchNextPageError ? files.error : null}
          onMore={() => void files.fetchNextPage()}
        />
      )}
      {shown && (
        <Suspense fallback={null}>
          <FileDialog projectId={projectId} file={shown} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}
