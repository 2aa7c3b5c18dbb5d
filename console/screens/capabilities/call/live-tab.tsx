import { PhoneCallIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { ListCallsResponses } from '@slipway/sdk/client/types.gen.ts'
import { callsQuery } from './query.ts'
import { callText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

type RunningCall = ListCallsResponses[200]['data'][number]
type CallParticipant = RunningCall['people'][number]

export function RunningCalls({ projectId }: { projectId: string }) {
  const calls = useQuery(callsQuery(projectId))
  if (calls.isPending) return <LiveSkeleton />
  if (!calls.data)
    return <LiveFailure projectId={projectId} error={calls.error} onRetry={() => void calls.refetch()} />
  if (calls.data.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="app"
        icon={<PhoneCallIcon />}
        title={callText.empty}
        hint={callText.emptyHint}
      />
    )
  return (
    <div className="space-y-4">
      {calls.data.map((call) => (
        <CallPanel key={`${call.partition} ${call.room}/${call.id}`} call={call} />
      ))}
    </div>
  )
}

function CallPanel({ call }: { call: RunningCall }) {
  const { room, id, partition, mode, startedAt, people } = call
  const title = `${room}/${id}`
  return (
    <Panel title={title} {...(partition !== null && { hint: callText.of(partition) })}>
      <p className="text-[13px] text-kumo-subtle">
        {callText.people(people.length)} · {callText.modes[mode]} · {callText.started}{' '}
        <RelativeTime at={startedAt} />
      </p>
      <ul className="mt-3" aria-label={callText.peopleOf(title)}>
        {people.map((person, index) => (
          // The index is the key, because there is no unique id: a visitor has none, and one person may have
          // joined the video call in several tabs.
          <li
            key={index}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-kumo-line py-2 last:pb-0"
          >
            <span className="font-medium break-words text-kumo-strong">
              {person.name ?? (person.userId === null ? callText.visitor : callText.gone)}
            </span>
            <span className="text-[13px] text-kumo-subtle">
              {describeTracks(person)} · {callText.joined} <RelativeTime at={person.joinedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function describeTracks({ tracks, muted }: CallParticipant): string {
  if (tracks.length === 0) return callText.listens
  return tracks.map((track) => callText.tracks[track][muted.includes(track) ? 1 : 0]).join(', ')
}
