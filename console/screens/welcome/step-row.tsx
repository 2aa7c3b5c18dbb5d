import { LinkButton } from '@cloudflare/kumo/components/button'
import { CheckCircleIcon, WarningCircleIcon } from '@phosphor-icons/react'
import type { ReactNode } from 'react'
import { welcomeText as words } from '../../text/welcome.en.ts'
import type { WelcomeStep } from './steps.ts'

export function StepRow(props: {
  number: number
  title: string
  step: WelcomeStep
  /** Why this user cannot complete this step. */
  reason?: string | null
  children?: ReactNode
}) {
  const { number, title, step, reason = null } = props
  const { state, sentence, action } = step
  return (
    <li className="flex gap-3.5 p-4 sm:px-5">
      <StepMark state={state} number={number} />
      <div className="min-w-0 flex-1 space-y-2">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <div className="min-w-0 flex-1 basis-64">
            <h2 className="font-medium text-kumo-strong">
              {title} <span className="sr-only">({words.states[state]})</span>
            </h2>
            <p className="text-[13px] break-words text-kumo-subtle">{sentence}</p>
            {reason && action && <p className="text-[13px] text-kumo-subtle">{reason}</p>}
          </div>
          {action && !reason && (
            <LinkButton
              href={action.to}
              size="sm"
              variant={state === 'done' ? 'secondary' : 'primary'}
              aria-label={`${action.label}: ${title}`}
            >
              {action.label}
            </LinkButton>
          )}
        </div>
        {props.children}
      </div>
    </li>
  )
}

function StepMark({ state, number }: { state: WelcomeStep['state']; number: number }) {
  if (state === 'done')
    return <CheckCircleIcon weight="fill" className="mt-px size-5 shrink-0 text-added" aria-hidden="true" />
  if (state === 'failed')
    return (
      <WarningCircleIcon weight="fill" className="mt-px size-5 shrink-0 text-removed" aria-hidden="true" />
    )
  return (
    <span
      aria-hidden="true"
      className="mt-px grid size-5 shrink-0 place-items-center rounded-full text-xs font-semibold text-tide ring-1 ring-tide-line"
    >
      {number}
    </span>
  )
}
