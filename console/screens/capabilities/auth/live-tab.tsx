import { MagnifyingGlassIcon, UsersIcon } from '@phosphor-icons/react'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type AppUser, appPeopleQuery } from '../../../api/project/app-people.ts'
import { setAppUserRole } from './query.ts'
import { truncateText } from '../../../lib/truncate-text.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { href } from '../../../routes.ts'
import { usersText } from './text.en.ts'
import { useSearchParam } from '../../../ui/browser/use-search-param.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { Outbox } from './outbox.tsx'
import { entryOf } from '../../../lib/fields.ts'

const EraseUser = lazy(() => import('./erase-user.tsx').then((module) => ({ default: module.EraseUser })))

const USER_ROLES = ['member', 'staff'] as const

/** While a search is loading, the earlier list stays on the screen. */
const peopleQuery = (projectId: string, q: string) => ({
  ...appPeopleQuery(projectId, q),
  placeholderData: keepPreviousData,
})

export function AppUsers({ projectId }: { projectId: string }) {
  const { q = '' } = useSearch({ from: '/app/projects/$projectId/capabilities/$key' })
  const router = useRouter()
  const { isPending } = useInfiniteQuery(peopleQuery(projectId, q))
  const [typed, setTyped] = useSearchParam(
    q,
    (next) =>
      router.history.replace(
        href.capability(projectId, 'auth', { tab: 'live', q: next === '' ? undefined : next }),
      ),
    (next) => truncateText(next.trim(), 200),
  )
  return (
    <div className="space-y-6">
      <People projectId={projectId} q={q} typed={typed} onType={setTyped} />
      {/* Rendered after the list above has loaded, because loading the list would move it down. */}
      {!isPending && <Outbox projectId={projectId} />}
    </div>
  )
}

/** Lists the people that match the search `q`, with the search field. */
export function People(props: {
  projectId: string
  q: string
  typed: string
  onType: (words: string) => void
}) {
  const { projectId, q } = props
  const people = useInfiniteQuery(peopleQuery(projectId, q))
  if (people.isPending) return <LiveSkeleton />
  if (!people.data)
    return <LiveFailure projectId={projectId} error={people.error} onRetry={() => void people.refetch()} />
  const users = people.data.pages.flatMap((page) => page.items)
  // When a search without results is cleared, the list is empty while all people are being read. Keep the search field then, because it has
  // the focus.
  const isSearching = users.length === 0 && people.isPlaceholderData
  if (users.length === 0 && q === '' && props.typed === '' && !isSearching)
    return (
      <LiveEmpty
        projectId={projectId}
        next="app"
        icon={<UsersIcon />}
        title={usersText.empty}
        hint={usersText.emptyHint}
      />
    )
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-[13px] text-kumo-subtle">
          {usersText.shown(users.length, people.hasNextPage)}
        </p>
        <input
          type="search"
          aria-label={usersText.search}
          placeholder={usersText.search}
          value={props.typed}
          onChange={(event) => props.onType(event.target.value)}
          className={`${FIELD_STYLE} h-9 ring-kumo-line sm:w-72`}
        />
      </div>
      {isSearching ? (
        <LiveSkeleton />
      ) : users.length === 0 ? (
        <EmptyNote icon={<MagnifyingGlassIcon />} title={usersText.noMatch(q)} hint={usersText.noMatchHint} />
      ) : (
        <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {users.map((user) => (
            <li key={user.id}>
              <UserRow projectId={projectId} user={user} />
            </li>
          ))}
        </ul>
      )}
      {people.hasNextPage && (
        <LoadMore
          isLoading={people.isFetchingNextPage}
          error={people.isFetchNextPageError ? people.error : null}
          onMore={() => void people.fetchNextPage()}
        />
      )}
    </div>
  )
}

function UserRow({ projectId, user }: { projectId: string; user: AppUser }) {
  const client = useQueryClient()
  const [isErasing, setIsErasing] = useState(false)
  const change = useMutation({
    mutationFn: (role: AppUser['role']) => setAppUserRole(projectId, user.id, role),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.appUsers(projectId) }),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p title={user.name} className="truncate font-medium text-kumo-strong">
          {user.name}
        </p>
        <p className="text-[13px] break-words text-kumo-subtle">
          {user.email} · {user.emailVerified ? usersText.verified : usersText.unverified} ·{' '}
          {user.methods.map((method) => entryOf(usersText.methods, method) ?? method).join(', ')} ·{' '}
          {usersText.joined} <RelativeTime at={user.createdAt} /> · {usersText.sessions(user.sessions)}
        </p>
        {user.brokenConnections.length > 0 && (
          <p className="text-[13px] font-medium text-kumo-strong">
            {usersText.broken(user.brokenConnections)}
          </p>
        )}
        {change.isError && <FailureNote error={change.error} />}
      </div>
      <div className="flex items-center gap-2">
        {user.erasing ? (
          <p className="text-[13px] font-medium text-kumo-strong">{usersText.erasing}</p>
        ) : (
          <div className="w-32">
            <NativeSelect
              label={usersText.roleOf(user.name)}
              hideLabel
              value={change.isPending ? change.variables : user.role}
              options={USER_ROLES.map((role) => ({ value: role, label: usersText.roles[role] }))}
              onChange={(role) => change.mutate(role)}
            />
          </div>
        )}
        <Button
          variant="secondary-destructive"
          aria-label={user.erasing ? usersText.continueErasingOf(user.name) : usersText.eraseOf(user.name)}
          onClick={() => setIsErasing(true)}
        >
          {user.erasing ? usersText.continueErasing : usersText.erase}
        </Button>
      </div>
      {isErasing && (
        <Suspense fallback={null}>
          <EraseUser projectId={projectId} user={user} onClose={() => setIsErasing(false)} />
        </Suspense>
      )}
    </div>
  )
}
