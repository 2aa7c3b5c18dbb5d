import { FileIcon, FilesIcon } from '@phosphor-icons/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { appUsersQuery } from '../../../api/project/app-people.ts'
import { fileObjectsQuery } from './query.ts'
import { href } from '../../../routes.ts'
import { filesText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { formatSize } from '../../../lib/format.ts'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import type { FileObject } from './file-dialog.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

const FileDialog = lazy(() => import('./file-dialog.tsx').then((module) => ({ default: module.FileDialog })))

/** The owner id of files that visitors without an account uploaded (runtime/files/object.ts). */
const VISITORS_OWNER = 'visitors'
const isPerson = (ownerId: string | null): boolean => /^u_[a-z0-9]{26}$/.test(ownerId ?? '')

export function FileObjects({ projectId }: { projectId: string }) {
  const files = useInfiniteQuery(fileObjectsQuery(projectId))
  const { key } = useSearch({ from: '/app/projects/$projectId/capabilities/$key' })
  const router = useRouter()
  const loaded = files.data?.pages.flatMap((page) => page.items) ?? []
  // Load the people of the app only when at least one file belongs to a person.
  const users = useQuery({
    ...appUsersQuery(projectId),
    enabled: loaded.some(({ ownerId }) => isPerson(ownerId)),
    retry: false,
  })
  const ownerOf = ({ ownerId }: FileObject): string =>
    ownerId === null
      ? filesText.ofApp
      : isPerson(ownerId)
        ? (users.data?.find(({ id }) => id === ownerId)?.name ?? filesText.ofPerson)
        : ownerId === VISITORS_OWNER
          ? filesText.ofVisitors
          : ownerId
  const open = (to: string | undefined) =>
    router.history.replace(href.capability(projectId, 'files', { tab: 'live', key: to }))
  if (files.isPending) return <LiveSkeleton />
  if (!files.data)
    return <LiveFailure projectId={projectId} error={files.error} onRetry={() => void files.refetch()} />
  if (loaded.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<FilesIcon />}
        title={filesText.empty}
        hint={filesText.emptyHint}
      />
    )
  const shown = loaded.find((item) => item.key === key)
  return (
    <>
      {key !== undefined && shown === undefined && (
        <p className="rounded-lg bg-kumo-fill px-3.5 py-3">{filesText.gone}</p>
      )}
      <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {loaded.map((item) => (
          <li key={item.key} className="relative flex items-center gap-3 px-4 py-3 hover:bg-kumo-tint">
            <FileIcon className="size-5 shrink-0 text-kumo-subtle" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <button
                type="button"
                aria-label={filesText.open(item.name)}
                onClick={() => open(item.key)}
                className="block max-w-full cursor-pointer truncate rounded-sm font-medium text-kumo-strong after:absolute after:inset-0"
              >
                {item.name}
              </button>
              <p className="truncate text-[13px] text-kumo-subtle">
                {filesText.ownedBy(ownerOf(item))} · {formatSize(item.size)} · {item.contentType} ·{' '}
                <RelativeTime at={item.uploadedAt} />
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
