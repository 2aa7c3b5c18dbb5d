import { Button } from '@cloudflare/kumo/components/button'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signIn } from '../../api/session.ts'
import { href, safeReturnPath } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldText, looksLikeEmail } from './credentials.ts'
import { useEnter } from './use-enter.ts'

export function SignIn() {
  usePageTitle(text.signIn.title)
  const { next } = useSearch({ from: '/signed-out/sign-in' })
  const enter = useEnter(safeReturnPath(next))
  const [problems, setProblems] = useState<{ email?: string; password?: string }>({})
  const entering = useMutation({ mutationFn: signIn, onSuccess: enter })

  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const input = { email: fieldText(form, 'email').trim(), password: fieldText(form, 'password') }
    const found = {
      ...(!looksLikeEmail(input.email) && { email: text.signUp.emailMissing }),
      ...(input.password === '' && { password: text.signUp.passwordMissing }),
    }
    setProblems(found)
    const first = Object.keys(found)[0]
    if (first) event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    else entering.mutate(input)
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <div className="space-y-1.5">
        <PageHeading className="text-[26px]">{text.signIn.title}</PageHeading>
        <p className="text-kumo-subtle">{text.signIn.lead}</p>
      </div>
      {entering.isError && <FailureNote error={readable(entering.error)} takeFocus />}
      <TextField
        name="email"
        type="email"
        size="lg"
        label={text.signIn.email}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...(problems.email && { error: problems.email })}
      />
      <TextField
        name="password"
        type="password"
        size="lg"
        label={text.signIn.password}
        autoComplete="current-password"
        {...(problems.password && { error: problems.password })}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="w-full justify-center"
        loading={entering.isPending}
      >
        {text.signIn.submit}
      </Button>
      <p className="text-kumo-subtle">
        {text.signIn.other}{' '}
        <a href={href.signUp(next)} className="font-medium text-kumo-link underline underline-offset-3">
          {text.signIn.otherAction}
        </a>
      </p>
    </form>
  )
}

/** One sentence for a wrong address and a wrong password: neither is given away. */
function readable(error: unknown): unknown {
  if (!(error instanceof SlipwayError) || error.status !== 401) return error
  const { requestId, method, path } = error
  return new SlipwayError(text.signIn.wrong, {
    code: 'wrong_credentials',
    status: 401,
    requestId,
    method,
    path,
  })
}
