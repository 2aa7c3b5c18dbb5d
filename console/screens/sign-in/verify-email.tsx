import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { LinkButton } from '@cloudflare/kumo/components/button'
import { useSearch } from '@tanstack/react-router'
import { href, safeReturnPath } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { EntryHeading, EntryLink } from './entry-form.tsx'
import { MailNote } from './mail-note.tsx'
import { SendVerification } from './send-verification.tsx'

const verifyText = signInStepsText.verify

/** Says “check your mail” after signing up. The link in that mail also opens this page. An expired link adds an `error` to the URL. */
export function VerifyEmail() {
  const { email, error, next } = useSearch({ from: '/signed-out/verify-email' })
  const state = error !== undefined ? 'invalid' : email !== undefined ? 'waiting' : 'done'
  const titles = { invalid: verifyText.invalidTitle, waiting: verifyText.title, done: verifyText.doneTitle }
  usePageTitle(titles[state])
  if (state === 'done')
    return (
      <div className="space-y-5">
        <EntryHeading title={verifyText.doneTitle} lead={verifyText.done} />
        <LinkButton variant="primary" size="lg" href={safeReturnPath(next)}>
          {verifyText.goOn}
        </LinkButton>
      </div>
    )
  return (
    <div className="space-y-5">
      <EntryHeading
        title={titles[state]}
        lead={state === 'invalid' ? verifyText.invalid : verifyText.sent(email ?? '')}
      />
      {state === 'waiting' && <MailNote />}
      {email !== undefined && <SendVerification email={email} next={next} />}
      <p>
        <EntryLink to={href.signIn(next)}>{signInText.backToSignIn}</EntryLink>
      </p>
    </div>
  )
}
