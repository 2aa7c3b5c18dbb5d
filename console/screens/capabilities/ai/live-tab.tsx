import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { aiSpendQuery, runAi } from './query.ts'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { aiText } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { Meter } from '../../../ui/page/meter.tsx'
import { dayAfterMonth } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { RaiseLimit } from '../tab-parts/month-spend.tsx'

const PROMPT_CHARS_MAX = 100_000

export function AiBudget({ projectId }: { projectId: string }) {
  const spend = useQuery(aiSpendQuery(projectId))
  const capability = useQuery(capabilityQuery(projectId, 'ai'))
  if (spend.isPending || capability.isPending) return <LiveSkeleton />
  if (!spend.data || !capability.data) {
    const refetchAll = () => void Promise.all([spend.refetch(), capability.refetch()])
    return <LiveFailure projectId={projectId} error={spend.error ?? capability.error} onRetry={refetchAll} />
  }
  const { month, used } = spend.data
  const limit = Number(capability.data.settings['monthlyRuns'])
  return (
    <div className="space-y-4">
      <MonthlySpend projectId={projectId} month={month} used={used} limit={limit} />
      <TryOut projectId={projectId} isUsedUp={used >= limit} />
    </div>
  )
}

function MonthlySpend(props: { projectId: string; month: string; used: number; limit: number }) {
  const { projectId, month, used, limit } = props
  const left = Math.max(0, limit - used)
  const isNear = left * 10 <= limit
  return (
    <Panel title={aiText.spend} hint={aiText.spendHint}>
      <p className="text-[13px] text-kumo-subtle">{aiText.monthOf(month)}</p>
      <p className="mt-0.5 text-xl font-semibold text-kumo-strong tabular-nums">
        {aiText.usedOf(used, limit)}
      </p>
      <div className="mt-3">
        <Meter aria-label={aiText.spend} used={used} limit={limit} isNear={isNear} />
      </div>
      <p className="mt-2 text-[13px] text-kumo-subtle">
        {left === 0 ? aiText.usedUp(dayAfterMonth(month)) : aiText.left(left, dayAfterMonth(month))}
      </p>
      {left === 0 && <RaiseLimit projectId={projectId} capabilityKey="ai" />}
    </Panel>
  )
}

function TryOut({ projectId, isUsedUp }: { projectId: string; isUsedUp: boolean }) {
  const client = useQueryClient()
  const id = useId()
  // The prompt stays in the field after a run, so that it can be changed and sent again. It also survives a reload.
  const { text: prompt, write } = useDraftText('ai-prompt', projectId)
  const run = useMutation({
    mutationFn: () => runAi(projectId, prompt),
    onSettled: () => client.invalidateQueries({ queryKey: aiSpendQuery(projectId).queryKey }),
  })
  return (
    <Panel title={aiText.tryOut} hint={aiText.tryOutHint}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate()
        }}
      >
        <div className="space-y-1.5">
          <label htmlFor={id} className="block font-medium text-kumo-default">
            {aiText.prompt}
          </label>
          <textarea
            id={id}
            rows={4}
            value={prompt}
            maxLength={PROMPT_CHARS_MAX}
            onChange={(event) => write(event.target.value)}
            className={`${FIELD_STYLE} py-2 ring-kumo-line`}
          />
        </div>
        <ReasonButton
          type="submit"
          variant="primary"
          loading={run.isPending}
          reason={
            isUsedUp ? aiText.noRunsLeft : prompt.trim() === '' ? text.common.fillIn(aiText.prompt) : null
          }
        >
          {aiText.ask}
        </ReasonButton>
      </form>
      <div aria-live="polite" className="not-empty:mt-4">
        {run.isPending && <p className="text-kumo-subtle">{aiText.asking}</p>}
        {run.isSuccess && (
          <>
            <h3 className="font-medium text-kumo-strong">{aiText.answer}</h3>
            <p className="mt-1 break-words whitespace-pre-wrap">{run.data.text || aiText.noText}</p>
          </>
        )}
        {run.isError && <FailureNote title={aiText.failed} error={run.error} />}
      </div>
    </Panel>
  )
}
