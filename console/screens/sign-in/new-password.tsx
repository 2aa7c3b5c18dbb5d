import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { LinkButton } from '@cloudflare/kumo/components/button'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { resetPassword } from '../../api/account/auth.ts'
import { rewordError } from '../../api/request/reword-error.ts'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { formFieldText } from './credentials.ts'
import { PASSWORD_LENGTH_MIN } from './new-credentials.ts'
import { EntryForm, EntryHeading, EntryLink } from './entry-form.tsx'

const resetText = signInStepsText.reset

/** The second step of a password reset: sets a new password with the token from the mailed link. */
export function NewPassword({ token }: { token: string }) {
  const [problem, setProblem] = useState<string>()
  const change = useMutation({ mutationFn: (password: string) => resetPassword(token, password) })
  usePageTitle(change.isSuccess ? resetText.doneTitle : resetText.newTitle)
  const submit = (form: FormData) => {
    const password = formFieldText(form, 'password')
    const isLong = password.length >= PASSWORD_LENGTH_MIN
    setProblem(isLong ? undefined : signInStepsText.signUp.passwordShort)
    if (isLong) change.mutate(password)
    return isLong ? {} : { password: true }
  }
  if (change.isSuccess)
    return (
      <div className="space-y-5">
        <EntryHeading title={resetText.doneTitle} lead={resetText.done} />
        <LinkButton variant="primary" size="lg" href={href.signIn()}>
          {signInText.signIn.submit}
        </LinkButton>
      </div>
    )
  const isSpent = change.error instanceof SlipwayError && change.error.code === 'invalid_token'
  return (
    <EntryForm
      title={resetText.newTitle}
      lead={resetText.newLead}
      error={rewordError(change.error, { rate_limited: signInText.throttled })}
      errorTitle={resetText.failed}
      submit={resetText.newSubmit}
      isPending={change.isPending}
      onSubmit={submit}
      other={
        <p>
          <EntryLink to={isSpent ? href.reset() : href.signIn()}>
            {isSpent ? resetText.again : signInText.backToSignIn}
          </EntryLink>
        </p>
      }
    >
      <TextField
        name="password"
        type="password"
        size="lg"
        label={resetText.newPassword}
        autoComplete="new-password"
        {...(problem ? { error: problem } : { description: signInStepsText.signUp.passwordHint })}
      />
    </EntryForm>
  )
}
