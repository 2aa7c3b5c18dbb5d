import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { emailQuery, verifyEmail } from './query.ts'
import { emailText as words } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { StepList } from '../../../ui/page/step-list.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { DnsRecords } from './dns-records.tsx'
import { Mailboxes } from './mailboxes.tsx'
import { Mails } from './mails.tsx'
import { SenderForm } from './sender-form.tsx'

export function MailSetup({ projectId }: { projectId: string }) {
  const status = useQuery(emailQuery(projectId))
  if (status.isPending) return <LiveSkeleton />
  if (!status.data)
    return <LiveFailure projectId={projectId} error={status.error} onRetry={() => void status.refetch()} />
  return (
    <div className="space-y-5">
      <SendingDomain projectId={projectId} status={status.data} />
      <Mailboxes key={status.data.sending.domain} projectId={projectId} status={status.data} />
      <Mails projectId={projectId} />
    </div>
  )
}

type MailState = keyof typeof words.states

const STAGE_TONES: Record<MailState, StateTone> = {
  none: 'ask',
  local: 'good',
  missing: 'ask',
  pending: 'busy',
  verified: 'good',
}
const STEPS_DONE: Record<MailState, number> = { none: 0, local: 0, missing: 1, pending: 2, verified: 3 }

function stageOf({ state, from, dns }: EmailStatus['sending']): MailState {
  if (state === 'none') return from === null ? 'none' : 'local'
  if (state === 'verified') return 'verified'
  return dns.length > 0 && dns.every(({ present }) => present) ? 'pending' : 'missing'
}

function SendingDomain({ projectId, status }: { projectId: string; status: EmailStatus }) {
  const { sending } = status
  const [isChoosing, setChoosing] = useState(false)
  const stage = stageOf(sending)
  return (
    <section
      aria-labelledby="mail-state"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <StepList steps={words.steps} done={STEPS_DONE[stage]} />
      <div role="status" className="space-y-1">
        <h2 id="mail-state" className="text-[15px] font-semibold text-kumo-strong">
          <StateDot tone={STAGE_TONES[stage]}>
            <span className="min-w-0">{words.states[stage].title}</span>
          </StateDot>
        </h2>
        <p className="text-kumo-subtle">{words.states[stage].hint}</p>
      </div>
      {sending.from !== null && (
        <p className="flex flex-wrap items-center gap-x-1.5">
          <span className="text-[13px] text-kumo-subtle">{words.from}</span>
          <span className="flex min-w-0 items-center gap-x-1.5">
            <span className="min-w-0 font-mono text-[13px] break-all text-kumo-strong">{sending.from}</span>
            <CopyButton value={sending.from} label={words.copyFrom} />
          </span>
        </p>
      )}
      {sending.dns.length > 0 && stage !== 'verified' && <DnsRecords records={sending.dns} />}
      {(stage === 'missing' || stage === 'pending') && <VerifyButton projectId={projectId} />}
      {sending.state === 'none' || isChoosing ? (
        <SenderForm projectId={projectId} status={status} onDone={() => setChoosing(false)} />
      ) : (
        <Button size="sm" variant="ghost" onClick={() => setChoosing(true)}>
          {words.chooseAnother}
        </Button>
      )}
    </section>
  )
}

function VerifyButton({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const verify = useMutation({
    mutationFn: () => verifyEmail(projectId),
    onSettled: () => client.invalidateQueries(emailQuery(projectId)),
  })
  return (
    <div className="space-y-3">
      {verify.isError && <FailureNote error={verify.error} takeFocus />}
      <Button variant="primary" loading={verify.isPending} onClick={() => verify.mutate()}>
        {words.check}
      </Button>
      <p role="status" className="text-[13px] text-kumo-subtle">
        {verify.data?.verified === false ? words.notYet : ''}
      </p>
    </div>
  )
}
