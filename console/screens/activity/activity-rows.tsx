import type { ActivityRecord } from '@slipway/sdk/client/types.gen.ts'
import { CheckCircleIcon, XCircleIcon } from '@phosphor-icons/react'
import { cloudText } from '../../text/cloud.en.ts'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'

export function ActivityRows(props: { records: ActivityRecord[]; onProject: (projectId: string) => void }) {
  return (
    <ol className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {props.records.map((record) => (
        <li key={record.id} className="flex gap-3 px-4 py-3">
          <CallOutcome status={record.status} />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-[13px] font-medium text-kumo-strong">{record.action}</code>
              <span className="min-w-0 break-all">{record.target}</span>
            </p>
            <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-[13px] text-kumo-subtle">
              <span>{cloudText.activity.providers[record.provider]} ·</span>
              <span className="min-w-0 break-all">{cloudText.activity.by(record.actor)} ·</span>
              <span>
                <RelativeTime at={record.when} />
                {record.project !== null && ' ·'}
              </span>
              {record.project !== null && (
                <ProjectName name={record.project} id={record.projectId} onProject={props.onProject} />
              )}
            </p>
            {record.detail !== null && (
              <p
                className={`mt-1 text-[13px] break-words ${record.status === 'failed' ? 'text-removed' : ''}`}
              >
                {record.detail}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function CallOutcome({ status }: { status: ActivityRecord['status'] }) {
  const [Icon, colour, word] =
    status === 'ok'
      ? ([CheckCircleIcon, 'text-added', cloudText.activity.ok] as const)
      : ([XCircleIcon, 'text-removed', cloudText.activity.failed] as const)
  return (
    <span className="mt-0.5 shrink-0" title={word}>
      <Icon weight="fill" className={`size-[18px] ${colour}`} aria-hidden="true" />
      <span className="sr-only">{word}</span>
    </span>
  )
}

function ProjectName(props: { name: string; id: string | null; onProject: (projectId: string) => void }) {
  const { name, id } = props
  if (id === null) return <span className="min-w-0 break-words">{name}</span>
  return (
    <button
      type="button"
      title={cloudText.activity.only(name)}
      onClick={() => props.onProject(id)}
      className="min-h-6 min-w-0 cursor-pointer rounded-sm text-left break-all text-kumo-link underline"
    >
      {name}
    </button>
  )
}

export function ActivitySkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="space-y-2">
            <Bar className="w-1/2" />
            <Bar className="w-1/3" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
