import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { reword } from '../../api/request/reword.ts'
import { signUp } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { readBoot } from '../../shell/boot.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { fieldText } from './credentials.ts'
import { signUpProblems } from './new-credentials.ts'
import { EmailField, EntryForm, EntryHeading, OtherWay } from './entry-form.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const words = signInStepsText.signUp

export function SignUp() {
  usePageTitle(words.title)
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
      name: fieldText(form, 'name').trim(),
      email: fieldText(form, 'email').trim(),
      password: fieldText(form, 'password'),
    }
    const found = signUpProblems(input)
    setProblems(found)
    if (Object.keys(found).length === 0) entering.mutate(input)
    return found
  }
  const isInvited = next?.startsWith(href.invitation('')) ?? false
  const signInInstead = <OtherWay question={words.other} action={words.otherAction} to={href.signIn(next)} />

  // On an installation where signing up needs an invitation, only people who come from the link of an invitation see
  // this form.
  if (readBoot().signup === 'invite' && !isInvited)
    return (
      <div className="space-y-5">
        <EntryHeading title={words.closed} lead={words.closedHint} />
        {signInInstead}
      </div>
    )
  return (
    <EntryForm
      title={words.title}
      lead={isInvited ? words.invitedLead : words.lead}
      error={reword(entering.error, ERROR_SENTENCES)}
      errorTitle={words.failed}
      submit={words.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={signInInstead}
    >
      <TextField
        name="name"
        size="lg"
        label={words.name}
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
        {...(problems.password ? { error: problems.password } : { description: words.passwordHint })}
      />
    </EntryForm>
  )
}

const ERROR_SENTENCES = {
  user_already_exists: words.taken,
  user_already_exists_use_another_email: words.taken,
  forbidden: words.notInvited,
  rate_limited: signInText.throttled,
}
