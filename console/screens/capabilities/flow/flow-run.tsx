import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { hasEnded } from '@slipway/runtime/flow/states.ts'
import { useState } from 'react'
import { cancelFlowRun, type FlowRun, flowRunQuery, type FlowStep } from './query.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { text } from '../../../text/en.ts'
import { flowText as words } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { FailureNote, LoadFailure } from '../../../ui/page/failure.tsx'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

export function FlowRunDetails({ projectId, id }: { projectId: string; id: string }) {
  const run = useQuery(flowRunQuery(projectId, id))
  const [isAsking, setAsking] = useState(false)
  if (run.isPending) return <LiveSkeleton />
  if (!run.data) return <LoadFailure query={run} />
  const { flow, status, endedAt, error, steps } = run.data
  return (
    <div className="space-y-3">
      {run.isRefetchError && (
        <FailureNote title={text.failure.title} error={run.error} onRetry={() => void run.refetch()} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-[13px] break-words text-kumo-subtle">
          <span>{flow === null ? words.unknownFlow : words.flow(flow)}</span> ·{' '}
          <span>{runState(run.data)}</span>
          {endedAt !== null && (
            <>
              {' · '}
              {words.ended} <RelativeTime at={endedAt} />
            </>
          )}
        </p>
        {!hasEnded(status) && (
          <Button size="sm" variant="secondary" onClick={() => setAsking(true)}>
            {words.cancel}
          </Button>
        )}
      </div>
      {error !== null && <p className="text-[13px] break-words text-removed">{error}</p>}
      {steps.length === 0 ? (
        <p className="text-[13px] text-kumo-subtle">{words.noSteps}</p>
      ) : (
        <ol
          aria-label={words.stepsOf(id)}
          className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line"
        >
          {steps.map((step, n) => (
            // Steps are only appended, so the index is a stable key.
            <li key={n}>
              <StepRow step={step} />
            </li>
          ))}
        </ol>
      )}
      {isAsking && <CancelRun projectId={projectId} id={id} onClose={() => setAsking(false)} />}
    </div>
  )
}

/** Describes the state of a run. For a waiting run it names the event or the pause that the run waits for. */
export function runState({ status, steps }: Pick<FlowRun, 'status' | 'steps'>): string {
  const at = status === 'waiting' ? steps.findLast((step) => step.status === 'waiting') : undefined
  if (at === undefined) return words.states[status]
  return at.kind === 'sleep' ? words.sleeps(at.name) : words.waitsFor(at.name)
}

const STEP_TONES: Record<FlowStep['status'], StateTone> = {
  running: 'busy',
  waiting: 'ask',
  done: 'good',
  failed: 'bad',
}

function StepRow({ step }: { step: FlowStep }) {
  const { name, kind, status, startedAt, endedAt, attempts, error } = step
  const at = endedAt ?? startedAt
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="break-words text-kumo-strong">{name}</p>
        <p className="text-[13px] text-kumo-subtle">
          {words.kinds[kind]}
          {attempts > 1 && ` · ${words.attempts(attempts)}`}
        </p>
        {error !== null && <p className="text-[13px] break-words text-removed">{error}</p>}
      </div>
      <p className="text-[13px] text-kumo-default">
        <StateDot tone={STEP_TONES[status]}>
          <span>{words.stepStates[status]}</span>
          {at !== null && <RelativeTime at={at} />}
        </StateDot>
      </p>
    </div>
  )
}

function CancelRun(props: { projectId: string; id: string; onClose: () => void }) {
  const { projectId, id, onClose } = props
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelFlowRun(projectId, id),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.live(projectId, 'flow') }),
  })
  return (
    <Confirm
      title={words.cancelAsk(id)}
      consequence={words.cancelConsequence}
      submit={words.cancel}
      keep={words.keep}
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
