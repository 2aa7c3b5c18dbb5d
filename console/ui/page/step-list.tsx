import { CheckIcon } from '@phosphor-icons/react'
import { text } from '../../text/en.ts'

/** The steps of a task with the number of finished ones (`done`). The step after these is marked as current. */
export function StepList({ steps, done }: { steps: readonly string[]; done: number }) {
  const { stepDone, stepNow, stepLater } = text.common
  return (
    <ol className="grid grid-cols-1 gap-1.5 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none sm:gap-2">
      {steps.map((step, index) => {
        const state = index < done ? stepDone : index === done ? stepNow : stepLater
        return (
          <li
            key={step}
            aria-current={index === done ? 'step' : undefined}
            className={`flex items-center gap-1.5 border-kumo-line text-[13px] sm:border-t-2 sm:pt-2 ${index < done ? 'text-kumo-default sm:border-tide' : index === done ? 'font-medium text-kumo-strong sm:border-tide-line' : 'text-kumo-subtle'}`}
          >
            <span
              aria-hidden="true"
              className={`grid size-4 shrink-0 place-items-center rounded-full text-[10px] ${index < done ? 'bg-tide-tint text-tide ring-1 ring-tide-line' : 'ring-1 ring-kumo-line'}`}
            >
              {index < done ? <CheckIcon weight="bold" className="size-2.5" /> : index + 1}
            </span>
            {step}
            <span className="sr-only">, {state}</span>
          </li>
        )
      })}
    </ol>
  )
}
