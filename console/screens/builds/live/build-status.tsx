import { StopIcon } from '@phosphor-icons/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { memo, useEffect, useRef, useState } from 'react'
import { cancelBuild, runQuery } from '../../../api/project/builds.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { formatClock, formatCount } from '../../../lib/format.ts'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { type BuildPhase, type BuildState, isUnderWay, tokensOf } from '../../../state/builds/build-state.ts'
import { formatTokens } from '../outcome/format-tokens.ts'

const PHASE_TONES: Record<BuildPhase, StateTone> = {
  connecting: 'busy',
  running: 'busy',
  resuming: 'busy',
  awaiting: 'ask',
  built: 'good',
  replied: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}

interface BuildStatusProps extends Pick<BuildState, 'phase' | 'run' | 'stepLimit' | 'usage' | 'model'> {
  projectId: string
  ticketId: string
  stepCount: number
}

/**
 * Shows the phase of the build, its tokens so far and the stop button. Memoized, because it does not depend
 * on the text that the model streams.
 */
export const BuildStatus = memo(function BuildStatus(props: BuildStatusProps) {
  const { projectId, ticketId, phase, run, stepCount, stepLimit, usage, model } = props
  const running = isUnderWay(props)
  const tokens = tokensOf(usage)
  const stop = useMutation({ mutationFn: () => cancelBuild(projectId, ticketId) })
  const canStop = running && run !== null && !stop.isPending && !stop.isSuccess
  useShortcut('stop', () => stop.mutate(), canStop)
  const phaseWords = useRef<HTMLSpanElement>(null)
  // The stop button disappears when the build ends, so the focus that it had moves to the phase.
  const [keepFocus] = useState(() => (button: HTMLButtonElement) => () => {
    if (button === document.activeElement) phaseWords.current?.focus()
  })
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-3 border-b border-kumo-line bg-kumo-base px-4 py-1.5 text-[13px]">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <span ref={phaseWords} tabIndex={-1} className="rounded-sm font-medium text-kumo-strong">
          <StateDot tone={PHASE_TONES[phase]}>{workText.build.phases[phase]}</StateDot>
        </span>
        {running && stepCount > 0 && (
          <span className="text-kumo-subtle tabular-nums">{workText.build.stepOf(stepCount, stepLimit)}</span>
        )}
        <ElapsedTime projectId={projectId} run={run} running={running} />
        {tokens > 0 && (
          <span className="text-kumo-subtle tabular-nums" title={formatTokens(usage)}>
            {formatCount(tokens)} {workText.build.tokens}
          </span>
        )}
        {model && <span className="truncate text-kumo-subtle">{workText.build.byModel(model)}</span>}
        {stop.isError && (
          <span role="alert">{`${workText.build.stopFailed}: ${describeFailure(stop.error).sentence}`}</span>
        )}
      </div>
      {running && run && (
        <Button
          ref={keepFocus}
          size="sm"
          variant="secondary"
          className="shrink-0"
          icon={<StopIcon weight="fill" />}
          loading={stop.isPending || stop.isSuccess}
          aria-keyshortcuts="Control+. Meta+."
          title={workText.build.stopHint}
          onClick={() => stop.mutate()}
        >
          {stop.isPending || stop.isSuccess ? workText.build.stopping : workText.build.stop}
        </Button>
      )}
    </div>
  )
})

/**
 * The time since the start of the build. The messages of the stream (frames) have no absolute time, so the
 * start comes from the stored run.
 */
function ElapsedTime({
  projectId,
  run,
  running,
}: {
  projectId: string
  run: string | null
  running: boolean
}) {
  const record = useQuery({ ...runQuery(projectId, run ?? ''), enabled: run !== null }).data
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  const began = record?.startedAt ?? record?.createdAt
  if (!began) return null
  const end = record?.finishedAt ? Date.parse(record.finishedAt) : now
  return (
    <span className="text-kumo-subtle tabular-nums">
      <span className="sr-only">{workText.build.elapsed} </span>
      {formatClock(end - Date.parse(began))}
    </span>
  )
}
