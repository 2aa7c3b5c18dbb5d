import { memo } from 'react'
import { steerText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { formatCount } from '../../../lib/format.ts'
import { CallRow } from '../../../ui/markdown/call-row.tsx'
import { GrowingText } from '../../../ui/markdown/growing-text.tsx'
import { Reasoning } from '../../../ui/markdown/reasoning.tsx'
import {
  type BuildState,
  type BuildStep,
  isUnderWay,
  type SteerRow,
  type ToolCall,
  type WritingProgress,
} from '../../../state/builds/build-state.ts'
import { entryOf } from '../../../lib/fields.ts'

export function Timeline({ state }: { state: BuildState }) {
  const running = isUnderWay(state)
  return (
    <div role="log" aria-live="off" aria-label={workText.build.log}>
      {state.attempt > 1 && (
        <p className="mb-3 text-xs text-kumo-subtle">{workText.build.attempt(state.attempt)}</p>
      )}
      <SteerMessages steers={state.steers} duringStep={0} />
      <ol className="space-y-1">
        {state.steps.map((step, index) => (
          <Step
            key={step.n}
            step={step}
            steers={state.steers}
            active={running && index === state.steps.length - 1}
          />
        ))}
      </ol>
      {running && state.steps.length === 0 && (
        <p className="flex items-center gap-2.5 text-kumo-subtle">
          <span className="size-2 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
          {workText.build.waitingForModel}
        </p>
      )}
    </div>
  )
}

interface StepProps {
  step: BuildStep
  steers: SteerRow[]
  active: boolean
}

/** Memoized, so that finished steps do not render again while the last one grows. */
const Step = memo(function Step({ step, steers, active }: StepProps) {
  const quiet = step.text === '' && step.tools.length === 0 && !step.writing && !step.retry
  return (
    <li className="relative pb-3 pl-6 before:absolute before:top-5 before:bottom-0 before:left-[7px] before:w-px before:bg-kumo-line last:before:hidden">
      <span
        aria-hidden="true"
        className={`absolute top-[5px] left-[3px] size-[9px] rounded-full ring-4 ring-kumo-canvas ${active ? 'animate-pulse-dot bg-tide' : 'bg-kumo-interact'}`}
      />
      <h3 className="text-xs font-medium text-kumo-subtle">{workText.build.step(step.n)}</h3>
      {step.reasoning !== '' && (
        <div className="mt-1">
          <Reasoning label={workText.build.thinking} words={step.reasoning} />
        </div>
      )}
      {step.text !== '' && <GrowingText words={step.text} className="mt-1" />}
      {step.tools.length > 0 && (
        <ul className="mt-1.5 space-y-0.5">
          {step.tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool} />
          ))}
        </ul>
      )}
      {active && step.writing && <CurrentTool writing={step.writing} />}
      {active && step.retry && (
        <p className="mt-1 text-kumo-warning">
          {workText.build.retrying(Math.ceil(step.retry.waitMs / 1000), step.retry.reason)}
        </p>
      )}
      {active && quiet && <p className="mt-1 text-kumo-subtle">{workText.build.waitingForModel}</p>}
      <SteerMessages steers={steers} duringStep={step.n} />
    </li>
  )
})

function SteerMessages({ steers, duringStep }: { steers: SteerRow[]; duringStep: number }) {
  return steers
    .filter((steer) => steer.duringStep === duringStep)
    .map((steer) => (
      <div key={steer.id} className="mt-2 mb-1 rounded-lg bg-tide-tint px-3 py-2 ring-1 ring-tide-line">
        <p className="text-xs text-kumo-subtle">
          {steerText.sent} · {steer.delivery === 'delivered' ? steerText.delivered : steerText.nextBuild}
        </p>
        <p className="break-words whitespace-pre-wrap">{steer.text}</p>
      </div>
    ))
}

/** The length of `{}`, the arguments of a tool that takes none. Their size is not shown. */
const EMPTY_ARGUMENTS_CHARS = 2

function CurrentTool({ writing }: { writing: WritingProgress }) {
  const verb = entryOf(workText.build.toolsNow, writing.tool) ?? writing.tool
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-[13px]">
      <span className="size-1.5 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
      <span>{verb}</span>
      {writing.path && <code className="font-mono text-xs break-all text-kumo-strong">{writing.path}</code>}
      {writing.characters > EMPTY_ARGUMENTS_CHARS && (
        <span className="text-kumo-subtle tabular-nums">
          {formatCount(writing.characters)} {workText.build.characters}
        </span>
      )}
    </p>
  )
}

function ToolRow({ tool }: { tool: ToolCall }) {
  return (
    <CallRow
      label={entryOf(workText.build.tools, tool.name) ?? tool.name}
      about={tool.path}
      isCode
      ok={tool.ok}
      failedWord={workText.build.phases.failed}
      answer={tool.error ?? tool.result}
      ms={tool.ms}
    />
  )
}
