import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { readBoot } from '../../shell/boot.ts'
import { EntryLink } from './entry-form.tsx'

const { mail: words } = signInStepsText

/** Says where to read mail on an installation without a mail server. */
export function MailNote() {
  const { mail, mailboxUrl } = readBoot()
  if (mail === 'smtp') return null
  return (
    <p className="rounded-lg bg-tide-tint px-3.5 py-3 text-pretty ring-1 ring-tide-line">
      {mail === 'outbox' ? words.outbox : words.held}{' '}
      {mailboxUrl && <EntryLink to={mailboxUrl}>{words.openOutbox}</EntryLink>}
    </p>
  )
}
