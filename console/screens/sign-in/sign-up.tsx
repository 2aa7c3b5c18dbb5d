import { Button } from '@cloudflare/kumo/components/button'
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
import { useEnter } from './use-enter.ts'

type Problems = Partial<Record<'name' | 'email' | 'password', string>>

export function SignUp() {
  usePageTitle(text.signUp.title)
  const { next } = useSearch({ from: '/signed-out/sign-up' })
  const enter = useEnter(safeReturnPath(next))
  const [problems, setProblems] = useState<Problems>({})
  const entering = useMutation({ mutationFn: signUp, onSuccess: enter })

  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const input = {
      name: fieldText(form, 'name').trim(),
      email: fieldText(form, 'email').trim(),
      password: fieldText(form, 'password'),
    }
    const found = findProblems(input)
    setProblems(found)
    const first = Object.keys(found)[0]
    if (first) event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    else entering.mutate(input)
  }

  if (readBoot().signup === 'invite') return <SignUpClosed />
  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <div className="space-y-1.5">
        <PageHeading className="text-[26px]">{text.signUp.title}</PageHeading>
        <p className="text-kumo-subtle text-pretty">{text.signUp.lead}</p>
      </div>
      {entering.isError && (
        <FailureNote title={text.signUp.failed} error={readable(entering.error)} takeFocus />
      )}
      <TextField
        name="name"
        size="lg"
        label={text.signUp.name}
        autoComplete="name"
        {...(problems.name && { error: problems.name })}
      />
      <TextField
        name="email"
        type="email"
        size="lg"
        label={text.signUp.email}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...(problems.email && { error: problems.email })}
      />
      <TextField
        name="password"
        type="password"
        size="lg"
        label={text.signUp.password}
        autoComplete="new-password"
        {...(problems.password ? { error: problems.password } : { description: text.signUp.passwordHint })}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="w-full justify-center"
        loading={entering.isPending}
      >
        {text.signUp.submit}
      </Button>
      <SignInInstead next={next} />
    </form>
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
  return (
    <p className="text-kumo-subtle">
      {text.signUp.other}{' '}
      <a href={href.signIn(next)} className="font-medium text-kumo-link underline underline-offset-3">
        {text.signUp.otherAction}
      </a>
    </p>
  )
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
