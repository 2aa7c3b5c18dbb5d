import { VideoCameraIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { ListVideosResponses } from '@slipway/sdk/client/types.gen.ts'
import { videoSpendQuery, videosQuery } from './query.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { videoText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { MonthSpend } from '../tab-parts/month-spend.tsx'

const { minutes } = capabilitiesText.spend

type ListedVideo = ListVideosResponses[200]['data'][number]

const STATUS_TONES: Record<ListedVideo['status'], StateTone> = {
  pending: 'quiet',
  processing: 'busy',
  ready: 'good',
  error: 'bad',
}

export function Videos({ projectId }: { projectId: string }) {
  const spend = useQuery(videoSpendQuery(projectId))
  const videos = useQuery(videosQuery(projectId))
  if (spend.isPending || videos.isPending) return <LiveSkeleton />
  const refetchAll = () => void Promise.all([spend.refetch(), videos.refetch()])
  if (!spend.data || !videos.data)
    return <LiveFailure projectId={projectId} error={spend.error ?? videos.error} onRetry={refetchAll} />
  return (
    <div className="space-y-4">
      <MonthSpend
        projectId={projectId}
        capabilityKey="video"
        spend={spend.data}
        used={minutes.used}
        hint={minutes.hint}
      />
      {videos.data.length === 0 ? (
        <LiveEmpty
          projectId={projectId}
          next="ticket"
          icon={<VideoCameraIcon />}
          title={videoText.empty}
          hint={videoText.emptyHint}
        />
      ) : (
        <Panel title={videoText.title}>
          <VideoTable videos={videos.data} />
        </Panel>
      )}
    </div>
  )
}

function VideoTable({ videos }: { videos: ListedVideo[] }) {
  const head = 'pb-1 font-medium'
  return (
    <table className="w-full tabular-nums" aria-label={videoText.title}>
      <thead>
        <tr className="text-[13px] text-kumo-subtle">
          <th scope="col" className={`${head} text-left`}>
            {videoText.name}
          </th>
          <th scope="col" className={`${head} pl-4 text-left max-sm:hidden`}>
            {videoText.person}
          </th>
          <th scope="col" className={`${head} pl-4 text-right max-sm:hidden`}>
            {videoText.length}
          </th>
          <th scope="col" className={`${head} pl-4 text-right max-sm:hidden`}>
            {videoText.added}
          </th>
          <th scope="col" className={`${head} pl-4 text-left`}>
            {videoText.state}
          </th>
        </tr>
      </thead>
      <tbody>
        {videos.map(({ id, name, userName, seconds, createdAt, status }) => (
          <tr key={id} className="border-t border-kumo-line align-top">
            <th scope="row" className="w-full py-2 text-left font-medium break-words text-kumo-strong">
              {name}
            </th>
            <td className="min-w-36 py-2 pl-4 break-words text-kumo-subtle max-sm:hidden">{userName}</td>
            <td className="py-2 pl-4 text-right max-sm:hidden">
              {seconds === null ? '' : durationText(seconds)}
            </td>
            <td className="py-2 pl-4 text-right whitespace-nowrap text-kumo-subtle max-sm:hidden">
              <RelativeTime at={createdAt} />
            </td>
            <td className="py-2 pl-4 whitespace-nowrap">
              <StateDot tone={STATUS_TONES[status]}>{videoText.states[status]}</StateDot>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats a length in seconds as minutes and seconds, like 1:05. */
const durationText = (seconds: number): string => {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
