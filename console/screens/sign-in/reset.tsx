import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useSearch } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { requestPasswordReset } from '../../api/account/auth.ts'
import { rewordError } from '../../api/request/reword-error.ts'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { formFieldText, looksLikeEmail } from './credentials.ts'
import { EmailField, EntryForm, EntryHeading, EntryLink } from './entry-form.tsx'
import { MailNote } from './mail-note.tsx'
import { NewPassword } from './new-password.tsx'

const resetText = signInStepsText.reset

/**
 * Resets a forgotten password. Without a token in the URL the page asks for the e-mail address. The link in the mail contains a token and
 * opens the form for the new password.
 */
export function Reset() {
  const { token, error } = useSearch({ from: '/signed-out/reset' })
  return token === undefined ? <AskForLink isAgain={error !== undefined} /> : <NewPassword token={token} />
}

function AskForLink({ isAgain }: { isAgain: boolean }) {
  usePageTitle(resetText.title)
  const [problem, setProblem] = useState<string>()
  const send = useMutation({ mutationFn: requestPasswordReset })
  const submit = (form: FormData) => {
    const email = formFieldText(form, 'email').trim()
    const isWhole = looksLikeEmail(email)
    setProblem(isWhole ? undefined : signInText.emailMissing)
    if (isWhole) send.mutate(email)
    else send.reset()
    return isWhole ? {} : { email: true }
  }
  const back = (
    <p>
      <EntryLink to={href.signIn()}>{signInText.backToSignIn}</EntryLink>
    </p>
  )
  if (send.isSuccess)
    return (
      <div className="space-y-5">
        {/* Every address gets the same text, so that it does not reveal which accounts exist. */}
        <EntryHeading title={resetText.sentTitle} lead={resetText.sent(send.variables)} />
        <MailNote />
        {back}
      </div>
    )
  return (
    <EntryForm
      title={resetText.title}
      lead={isAgain ? resetText.invalid : resetText.lead}
      error={rewordError(send.error, { rate_limited: signInText.throttled })}
      submit={resetText.submit}
      isPending={send.isPending}
      onSubmit={submit}
      other={back}
    >
      <EmailField error={problem} />
    </EntryForm>
  )
}
