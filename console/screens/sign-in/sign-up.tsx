import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { rewordError } from '../../api/request/reword-error.ts'
import { signUp } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { readBoot } from '../../shell/boot.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { formFieldText } from './credentials.ts'
import { signUpProblems } from './new-credentials.ts'
import { EmailField, EntryForm, EntryHeading, OtherWay } from './entry-form.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const signUpText = signInStepsText.signUp

export function SignUp() {
  usePageTitle(signUpText.title)
  const { next } = useSearch({ from: '/signed-out/sign-up' })
  const enter = useAfterSignIn(next)
  const { history } = useRouter()
  const [problems, setProblems] = useState<ReturnType<typeof signUpProblems>>({})
  const entering = useMutation({
    mutationFn: signUp,
    onSuccess: ({ token }, { email }) =>
      token === null ? history.push(href.verifyEmail({ email, next })) : enter(),
  })
  const submit = (form: FormData) => {
    const input = {
      name: formFieldText(form, 'name').trim(),
      email: formFieldText(form, 'email').trim(),
      password: formFieldText(form, 'password'),
    }
    const found = signUpProblems(input)
    setProblems(found)
    if (Object.keys(found).length === 0) entering.mutate(input)
    else entering.reset()
    return found
  }
  const isInvited = next?.startsWith(href.invitation('')) ?? false
  const signInInstead = (
    <OtherWay question={signUpText.other} action={signUpText.otherAction} to={href.signIn(next)} />
  )

  // On an installation where signing up needs an invitation, only people who come from the link of an invitation see
  // this form.
  if (readBoot().signup === 'invite' && !isInvited)
    return (
      <div className="space-y-5">
        <EntryHeading title={signUpText.closed} lead={signUpText.closedHint} />
        {signInInstead}
      </div>
    )
  return (
    <EntryForm
      title={signUpText.title}
      lead={isInvited ? signUpText.invitedLead : signUpText.lead}
      error={rewordError(entering.error, ERROR_SENTENCES)}
      errorTitle={signUpText.failed}
      submit={signUpText.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={signInInstead}
    >
      <TextField
        name="name"
        size="lg"
        label={signUpText.name}
        autoComplete="name"
        {...(problems.name && { error: problems.name })}
      />
      <EmailField error={problems.email} />
      <TextField
        name="password"
        type="password"
        size="lg"
        label={signInText.password}
        autoComplete="new-password"
        {...(problems.password ? { error: problems.password } : { description: signUpText.passwordHint })}
      />
    </EntryForm>
  )
}

const ERROR_SENTENCES = {
  user_already_exists: signUpText.taken,
  user_already_exists_use_another_email: signUpText.taken,
  forbidden: signUpText.notInvited,
  rate_limited: signInText.throttled,
}
