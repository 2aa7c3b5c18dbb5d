import { UsersIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type AppUser, appUsersQuery, setAppUserRole } from '../../../api/project/capabilities.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { RelativeTime } from '../../../ui/words/time.tsx'
import { LiveFailure } from '../live-failure.tsx'
import { LiveSkeleton } from '../live-skeleton.tsx'

const EraseUser = lazy(() => import('./erase-user.tsx').then((module) => ({ default: module.EraseUser })))

const words = capabilitiesText.users
const ROLES = ['member', 'staff'] as const

/** The people of the live app: who they are, who is staff, and the way to erase one. */
export function AppUsers({ projectId }: { projectId: string }) {
  const users = useQuery(appUsersQuery(projectId))
  if (users.isPending) return <LiveSkeleton />
  if (!users.data)
    return <LiveFailure projectId={projectId} error={users.error} onRetry={() => void users.refetch()} />
  if (users.data.length === 0)
    return <EmptyNote icon={<UsersIcon />} title={words.empty} hint={words.emptyHint} />
  return (
    <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {users.data.map((user) => (
        <li key={user.id}>
          <UserRow projectId={projectId} user={user} />
        </li>
      ))}
    </ul>
  )
}

function UserRow({ projectId, user }: { projectId: string; user: AppUser }) {
  const client = useQueryClient()
  const [isErasing, setIsErasing] = useState(false)
  const change = useMutation({
    mutationFn: (role: AppUser['role']) => setAppUserRole(projectId, user.id, role),
    onSuccess: () => client.invalidateQueries(appUsersQuery(projectId)),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p title={user.name} className="truncate font-medium text-kumo-strong">
          {user.name}
        </p>
        <p className="text-[13px] break-words text-kumo-subtle">
          {user.email} · {words.joined} <RelativeTime at={user.createdAt} /> · {words.sessions(user.sessions)}
        </p>
        {change.isError && <FailureNote error={change.error} />}
      </div>
      <div className="flex items-center gap-2">
        <div className="w-32">
          <NativeSelect
            label={words.roleOf(user.name)}
            hideLabel
            value={change.isPending ? change.variables : user.role}
            options={ROLES.map((role) => ({ value: role, label: words.roles[role] }))}
            onChange={(role) => change.mutate(role)}
          />
        </div>
        <Button
          variant="secondary-destructive"
          aria-label={words.eraseOf(user.name)}
          onClick={() => setIsErasing(true)}
        >
          {words.erase}
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
