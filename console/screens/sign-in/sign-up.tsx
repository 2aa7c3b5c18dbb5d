import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signUp } from '../../api/session.ts'
import { href, safeReturnPath } from '../../routes.ts'
import { readBoot } from '../../shell/boot.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldText, looksLikeEmail, PASSWORD_LENGTH_MIN } from './credentials.ts'
import { EmailField, EntryForm, OtherWay } from './entry-form.tsx'
import { useEnter } from './use-enter.ts'

type Problems = Partial<Record<'name' | 'email' | 'password', string>>

export function SignUp() {
  usePageTitle(text.signUp.title)
  const { next } = useSearch({ from: '/signed-out/sign-up' })
  const enter = useEnter(safeReturnPath(next))
  const [problems, setProblems] = useState<Problems>({})
  const entering = useMutation({ mutationFn: signUp, onSuccess: enter })

  const submit = (form: FormData) => {
    const input = {
      name: fieldText(form, 'name').trim(),
      email: fieldText(form, 'email').trim(),
      password: fieldText(form, 'password'),
    }
    const found = findProblems(input)
    setProblems(found)
    if (Object.keys(found).length === 0) entering.mutate(input)
    return found
  }

  if (readBoot().signup === 'invite') return <SignUpClosed />
  return (
    <EntryForm
      title={text.signUp.title}
      lead={text.signUp.lead}
      failure={
        entering.isError && (
          <FailureNote title={text.signUp.failed} error={readable(entering.error)} takeFocus />
        )
      }
      submit={text.signUp.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={<SignInInstead next={next} />}
    >
      <TextField
        name="name"
        size="lg"
        label={text.signUp.name}
        autoComplete="name"
        {...(problems.name && { error: problems.name })}
      />
      <EmailField label={text.signUp.email} error={problems.email} />
      <TextField
        name="password"
        type="password"
        size="lg"
        label={text.signUp.password}
        autoComplete="new-password"
        {...(problems.password ? { error: problems.password } : { description: text.signUp.passwordHint })}
      />
    </EntryForm>
  )
}

function SignUpClosed() {
  return (
    <div className="space-y-4">
      <PageHeading className="text-[26px]">{text.signUp.closed}</PageHeading>
      <p className="text-kumo-subtle">{text.signUp.closedHint}</p>
      <SignInInstead next={undefined} />
    </div>
  )
}

function SignInInstead({ next }: { next: string | undefined }) {
  return <OtherWay question={text.signUp.other} action={text.signUp.otherAction} to={href.signIn(next)} />
}

function findProblems(input: { name: string; email: string; password: string }): Problems {
  return {
    ...(input.name === '' && { name: text.signUp.nameMissing }),
    ...(!looksLikeEmail(input.email) && { email: text.signUp.emailMissing }),
    ...(input.password.length < PASSWORD_LENGTH_MIN && { password: text.signUp.passwordShort }),
  }
}

function readable(error: unknown): unknown {
  if (!(error instanceof SlipwayError) || !error.code.includes('already_exists')) return error
  const { status, requestId, method, path } = error
  return new SlipwayError(text.signUp.taken, { code: 'account_exists', status, requestId, method, path })
}
