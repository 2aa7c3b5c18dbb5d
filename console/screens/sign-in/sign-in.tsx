import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signIn } from '../../api/session.ts'
import { href, safeReturnPath } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldText, looksLikeEmail } from './credentials.ts'
import { EmailField, EntryForm, OtherWay } from './entry-form.tsx'
import { useEnter } from './use-enter.ts'

export function SignIn() {
  usePageTitle(text.signIn.title)
  const { next } = useSearch({ from: '/signed-out/sign-in' })
  const enter = useEnter(safeReturnPath(next))
  const [problems, setProblems] = useState<{ email?: string; password?: string }>({})
  const entering = useMutation({ mutationFn: signIn, onSuccess: enter })

  const submit = (form: FormData) => {
    const input = { email: fieldText(form, 'email').trim(), password: fieldText(form, 'password') }
    const found = {
      ...(!looksLikeEmail(input.email) && { email: text.signUp.emailMissing }),
      ...(input.password === '' && { password: text.signUp.passwordMissing }),
    }
    setProblems(found)
    if (Object.keys(found).length === 0) entering.mutate(input)
    return found
  }

  return (
    <EntryForm
      title={text.signIn.title}
      lead={text.signIn.lead}
      failure={entering.isError && <FailureNote error={readable(entering.error)} takeFocus />}
      submit={text.signIn.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={
        <OtherWay question={text.signIn.other} action={text.signIn.otherAction} to={href.signUp(next)} />
      }
    >
      <EmailField label={text.signIn.email} error={problems.email} />
      <TextField
        name="password"
        type="password"
        size="lg"
        label={text.signIn.password}
        autoComplete="current-password"
        {...(problems.password && { error: problems.password })}
      />
    </EntryForm>
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
