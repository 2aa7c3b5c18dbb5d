import { EnvelopeSimpleIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type ListedMail, MAILS_MAX, mailsQuery } from './query.ts'
import { emailText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

const mailsText = emailText.mails

export function Mails({ projectId }: { projectId: string }) {
  return (
    <section
      aria-labelledby="mails"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <h2 id="mails" className="text-[15px] font-semibold text-kumo-strong">
        {mailsText.title}
      </h2>
      <MailList projectId={projectId} />
    </section>
  )
}

function MailList({ projectId }: { projectId: string }) {
  const mails = useQuery(mailsQuery(projectId))
  if (mails.isPending) return <LiveSkeleton />
  if (!mails.data)
    return <LiveFailure projectId={projectId} error={mails.error} onRetry={() => void mails.refetch()} />
  const { length } = mails.data
  if (length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<EnvelopeSimpleIcon />}
        title={mailsText.empty}
        hint={mailsText.emptyHint}
        level="h3"
      />
    )
  return (
    <>
      {length === MAILS_MAX && <p className="text-[13px] text-kumo-subtle">{mailsText.newest(length)}</p>}
      <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
        {mails.data.map((mail) => (
          <li key={mail.id}>
            <MailRow mail={mail} />
          </li>
        ))}
      </ul>
    </>
  )
}

type MailState = keyof typeof mailsText.states

const STAGE_TONES: Record<MailState, StateTone> = {
  kept: 'quiet',
  waiting: 'ask',
  retried: 'ask',
  sent: 'good',
  failed: 'bad',
}

function MailRow({ mail }: { mail: ListedMail }) {
  const { to, subject, state, attempts, error, createdAt, sentAt } = mail
  const stage = state === 'waiting' && error !== null ? 'retried' : state
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{subject ?? mailsText.signIn}</p>
        <p className="text-[13px] break-all text-kumo-subtle">{to.join(', ')}</p>
        {error !== null && <p className="text-[13px] break-words text-removed">{error}</p>}
      </div>
      <p className="text-[13px] text-kumo-default">
        <StateDot tone={STAGE_TONES[stage]}>
          <span>
            {mailsText.states[stage]}
            {sentAt === null && ` · ${mailsText.written}`}
          </span>{' '}
          <RelativeTime at={sentAt ?? createdAt} />
          {attempts > 1 && (
            <>
              {' · '}
              <span>{mailsText.attempts(attempts)}</span>
            </>
          )}
        </StateDot>
      </p>
    </div>
  )
}
