import {
  ChatTextIcon,
  CheckCircleIcon,
  CheckIcon,
  ProhibitIcon,
  QuestionIcon,
  WarningCircleIcon,
} from '@phosphor-icons/react'
import { type ReactNode, useRef } from 'react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { Usage } from '@slipway/sdk/frames.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deploymentQuery } from '../../../api/project/deployments.ts'
import { href } from '../../../routes.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { formatCount } from '../../../lib/format.ts'
import { ShipButton } from '../../shipping/ship-button.tsx'
import { isUpToDate } from '../../shipping/up-to-date.ts'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import { type BuildState, tokensOf } from '../../../state/builds/build-state.ts'
import { formatTokens } from './format-tokens.ts'
import { BuildTicketButton } from '../start/build-ticket-button.tsx'
import { Questions } from '../questions/questions.tsx'
import { entryOf } from '../../../lib/fields.ts'

/** The built-in model returns the same reply to the same ticket, so a retry is not offered. */
const BUILT_IN_MODEL = 'scaffold-1'

interface OutcomeProps {
  project: Project
  ticket: Ticket
  state: BuildState
}

export function BuildOutcome(props: OutcomeProps) {
  switch (props.state.phase) {
    case 'built':
      return <BuiltOutcome {...props} />
    case 'awaiting':
      return (
        <OutcomeCard
          icon={<QuestionIcon weight="fill" className="text-kumo-warning" />}
          title={workText.build.questionsFirst(props.state.questions.length)}
        >
          <Questions
            projectId={props.project.id}
            ticketId={props.ticket.id}
            run={props.state.run ?? ''}
            questions={props.state.questions}
          />
        </OutcomeCard>
      )
    case 'replied':
      return (
        <OutcomeCard
          icon={<ChatTextIcon weight="fill" className="text-tide" />}
          title={workText.build.ended.replied}
        >
          <OutcomeText>{props.state.message ?? props.state.summary}</OutcomeText>
          <p className="text-kumo-subtle">{workText.build.repliedHint}</p>
          {props.state.model === BUILT_IN_MODEL ? <ConnectModel /> : <BuildAgain {...props} />}
        </OutcomeCard>
      )
    case 'cancelled':
      return (
        <OutcomeCard
          icon={<ProhibitIcon className="text-kumo-subtle" />}
          title={workText.build.ended.cancelled}
        >
          <BuildAgain {...props} />
        </OutcomeCard>
      )
    default:
      return <FailedOutcome {...props} />
  }
}

function BuiltOutcome({ project, ticket, state }: OutcomeProps) {
  const unchanged = state.files.length === 0
  const deployment = useQuery(deploymentQuery(project.id)).data
  return (
    <OutcomeCard
      icon={<CheckCircleIcon weight="fill" className="text-added" />}
      title={unchanged ? workText.build.ended.nothingChanged : workText.build.ended.built}
    >
      <OutcomeText>{state.summary}</OutcomeText>
      {state.preview?.error && (
        <p className="rounded-lg bg-kumo-warning-tint px-3 py-2 text-[13px]">
          {workText.build.previewFailed} {state.preview.error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
        <ShipButton project={project} ticketId={ticket.id} long />
        <p className="text-[13px] text-kumo-subtle">
          {isUpToDate(deployment) ? workText.build.shipped : workText.build.shipOffer}
        </p>
      </div>
      <AcceptButton projectId={project.id} ticket={ticket} />
      <UsedTokens usage={state.usage} />
      {state.sha && (
        <p className="text-xs text-kumo-subtle">
          {workText.build.version}{' '}
          <a
            href={href.versions(project.id, { sha: state.sha })}
            className="rounded-sm text-kumo-link underline underline-offset-3"
          >
            <code className="font-mono">{state.sha.slice(0, 7)}</code>
          </a>
        </p>
      )}
    </OutcomeCard>
  )
}

function AcceptButton({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const client = useQueryClient()
  const isPressed = useRef(false)
  if (ticket.status === 'done')
    return (
      <p
        // The text replaces the pressed button, so it takes over the focus.
        ref={(words) => {
          if (isPressed.current) words?.focus()
          isPressed.current = false
        }}
        tabIndex={-1}
        className="rounded-sm text-[13px] text-kumo-subtle"
      >
        {workText.build.accepted}
      </p>
    )
  if (ticket.status !== 'in_review') return null
  const accept = async () => {
    isPressed.current = true
    const words = ticketsText.done.status(1, workText.tickets.status.done)
    const refused = await editTickets(client, projectId, [ticket.id], () => ({ status: 'done' }), words)
    // The button stays, so the focus must not move when another person accepts the ticket later.
    if (refused.length > 0) isPressed.current = false
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button size="sm" icon={<CheckIcon />} onClick={() => void accept()}>
        {workText.build.accept}
      </Button>
      <p className="text-[13px] text-kumo-subtle">{workText.build.acceptHint}</p>
    </div>
  )
}

/** Shows how many tokens the build used, but not what they cost, because the stream of a build contains no price. */
function UsedTokens({ usage }: { usage: Usage }) {
  const tokens = tokensOf(usage)
  if (tokens === 0) return null
  return (
    <p className="text-xs text-kumo-subtle tabular-nums">
      {workText.build.used(formatCount(tokens), formatTokens(usage))}
    </p>
  )
}

function FailedOutcome({ project, ticket, state }: OutcomeProps) {
  const { error } = state
  const advice = error ? entryOf(workText.build.kinds, error.kind) : undefined
  return (
    <OutcomeCard
      icon={<WarningCircleIcon weight="fill" className="text-removed" />}
      title={workText.build.ended.failed}
    >
      {advice && <p>{advice}</p>}
      {error && <OutcomeText>{error.message}</OutcomeText>}
      <div className="flex flex-wrap items-center gap-3 pt-1">
        <BuildAgain project={project} ticket={ticket} />
        {(error?.kind === 'model_error' || error?.kind === 'budget') && (
          <a href={href.models()} className="text-[13px] text-kumo-link underline underline-offset-3">
            {text.nav.models}
          </a>
        )}
      </div>
      <p className="text-xs text-kumo-subtle">
        <code className="font-mono break-all">{[error?.kind, state.run].filter(Boolean).join(' · ')}</code>
      </p>
    </OutcomeCard>
  )
}

function OutcomeCard({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className="animate-enter rounded-xl bg-kumo-base p-4 shadow-sm ring-1 ring-kumo-line">
      <h3 className="flex items-start gap-2.5 text-[15px] font-semibold text-kumo-strong">
        <span className="mt-px shrink-0 [&_svg]:size-5" aria-hidden="true">
          {icon}
        </span>
        {title}
      </h3>
      <div className="mt-2.5 space-y-3 sm:pl-[30px]">{children}</div>
    </section>
  )
}

function OutcomeText({ children }: { children: string | null }) {
  if (!children) return null
  return <p className="leading-relaxed break-words whitespace-pre-wrap">{children.trim()}</p>
}

function ConnectModel() {
  return (
    <a href={href.models()} className="text-kumo-link underline underline-offset-3">
      {text.projects.scaffoldAction}
    </a>
  )
}

function BuildAgain({ project, ticket }: Pick<OutcomeProps, 'project' | 'ticket'>) {
  return <BuildTicketButton project={project} ticket={ticket} label={workText.build.again} size="sm" />
}
