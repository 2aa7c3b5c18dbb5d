import { ArrowCounterClockwiseIcon } from '@phosphor-icons/react'
import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { type DeploymentOverview, type Release, rollBackResource } from '../../api/project/deployments.ts'
import { text } from '../../text/en.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { useFirstNewRow } from '../../ui/lists/use-first-new-row.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { VersionLink } from '../versions/version-name.tsx'
import { liveWorker } from './resources.ts'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const { releases: words } = shipText
const ROWS_STEP = 10

/** The commits (full SHA) of the versions before and after a rollback. */
interface CompletedRollback {
  from: string
  to: string
}

export function ReleasesPanel(props: {
  projectId: string
  deployment: DeployState
  deployments: DeploymentOverview
}) {
  const { releases, managed } = props.deployments
  const [shown, setShown] = useState(ROWS_STEP)
  const { list, extend } = useFirstNewRow<HTMLOListElement>()
  const worker = liveWorker(managed, props.deployment.url)
  const current = releases.find((release) => release.current)
  const previous = releases.find((release) => release.previous)
  const { note, setRollback } = useRollbackNote(current)
  return (
    <Panel
      title={words.title}
      action={
        worker &&
        current && (
          <RollBack
            projectId={props.projectId}
            workerId={worker.id}
            from={current.sha.slice(0, 7)}
            to={previous?.sha.slice(0, 7) ?? ''}
            reason={whyNoRollback(props.deployment, previous)}
            onDone={setRollback}
          />
        )
      }
    >
      <p role="status" className="mb-2 rounded-lg bg-kumo-success-tint px-3.5 py-2.5 empty:hidden">
        {note}
      </p>
      {releases.length === 0 && <p className="text-kumo-subtle">{words.empty}</p>}
      <ol ref={list} className="divide-y divide-kumo-line">
        {releases.slice(0, shown).map((release) => (
          <ReleaseRow key={release.id} projectId={props.projectId} release={release} />
        ))}
      </ol>
      {releases.length > shown && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => {
            extend()
            setShown(shown + ROWS_STEP * 5)
          }}
        >
          {text.common.more}
        </Button>
      )}
    </Panel>
  )
}

/** The note of the last completed rollback. It is empty again once a release is live that the rollback neither replaced nor made. */
function useRollbackNote(current: Release | undefined) {
  const [rollback, setRollback] = useState<CompletedRollback | null>(null)
  const [releaseId, setReleaseId] = useState<string | null>(null)
  if (rollback !== null && releaseId === null && current?.sha === rollback.to) setReleaseId(current.id)
  // The list shows the release before the rollback until it is read again.
  else if (
    rollback !== null &&
    (releaseId === null ? current?.sha !== rollback.from : current?.id !== releaseId)
  ) {
    setRollback(null)
    setReleaseId(null)
  }
  return {
    note: rollback === null ? '' : words.done(rollback.from.slice(0, 7), rollback.to.slice(0, 7)),
    setRollback: (next: CompletedRollback) => {
      setRollback(next)
      setReleaseId(null)
    },
  }
}

function whyNoRollback({ state }: DeployState, previous: Release | undefined): string | null {
  if (state === 'archived') return words.why.archived
  if (state === 'deploying') return words.why.deploying
  return previous === undefined ? words.why.only : null
}

function ReleaseRow({ projectId, release }: { projectId: string; release: Release }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2">
      <span className="max-w-full">
        <VersionLink projectId={projectId} sha={release.sha} />
      </span>
      <span className="min-w-0 flex-1 text-[13px] break-words text-kumo-subtle">
        <RelativeTime at={release.at} /> {release.actor && words.by(release.actor)}
      </span>
      {release.current && (
        <span className="text-[13px]">
          <StateDot tone="good">{words.current}</StateDot>
        </span>
      )}
    </li>
  )
}

function RollBack(props: {
  projectId: string
  workerId: string
  from: string
  to: string
  reason: string | null
  onDone: (rollback: CompletedRollback) => void
}) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const rollBack = useMutation({
    mutationFn: () => rollBackResource(props.projectId, props.workerId),
    onSuccess: async ({ from, to }) => {
      await invalidateAll(client, changedBy.deployment)
      props.onDone({ from: from.sha, to: to.sha })
      setOpen(false)
    },
  })
  return (
    <>
      <ReasonButton
        size="sm"
        icon={<ArrowCounterClockwiseIcon />}
        reason={props.reason}
        onClick={() => setOpen(true)}
      >
        {words.rollBack}
      </ReasonButton>
      {open && (
        <Suspense fallback={null}>
          <Confirm
            title={words.confirm}
            consequence={words.consequence(props.from, props.to)}
            submit={words.submit}
            busy={rollBack.isPending}
            error={rollBack.error}
            onConfirm={() => rollBack.mutate()}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
