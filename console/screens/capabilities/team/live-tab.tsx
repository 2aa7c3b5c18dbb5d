import { UsersThreeIcon } from '@phosphor-icons/react'
import type { ListTeamsResponses } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { appTeamsQuery } from './query.ts'
import { href } from '../../../routes.ts'
import { teamText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

const TEAMS_SHOWN_MAX = 1000

type AppTeam = ListTeamsResponses[200]['data'][number]

export function AppTeams({ projectId }: { projectId: string }) {
  const teams = useQuery(appTeamsQuery(projectId))
  if (teams.isPending) return <LiveSkeleton />
  if (!teams.data)
    return <LiveFailure projectId={projectId} error={teams.error} onRetry={() => void teams.refetch()} />
  const { length } = teams.data
  if (length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="app"
        icon={<UsersThreeIcon />}
        title={teamText.empty}
        hint={teamText.emptyHint}
      />
    )
  return (
    <div>
      <p role="status" className="mb-3 text-[13px] text-kumo-subtle">
        {length < TEAMS_SHOWN_MAX ? teamText.shown(length) : teamText.most(length)}
      </p>
      <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {teams.data.map((one) => (
          <li key={one.id}>
            <TeamRow projectId={projectId} team={one} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function TeamRow({ projectId, team }: { projectId: string; team: AppTeam }) {
  const { name, members, pendingInvites, createdAt, createdBy } = team
  return (
    <div className="px-4 py-3">
      <p className="font-medium break-words text-kumo-strong">{name}</p>
      <p className="text-[13px] text-kumo-subtle">
        {teamText.members(members)}
        {pendingInvites > 0 && ` · ${teamText.invites(pendingInvites)}`} · {teamText.made}{' '}
        <RelativeTime at={createdAt} /> ·{' '}
        {createdBy === null ? (
          teamText.erased
        ) : (
          <a
            className="underline underline-offset-2"
            href={href.capability(projectId, 'auth', { tab: 'live', q: createdBy })}
          >
            {teamText.by}
          </a>
        )}
      </p>
    </div>
  )
}
