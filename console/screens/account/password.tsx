import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { changePassword, hasPasswordQuery } from '../../api/account/auth.ts'
import { href } from '../../routes.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { formFieldText } from '../sign-in/credentials.ts'
import { focusField } from '../../ui/browser/focus-field.ts'
import { type PasswordProblems, passwordProblems } from './password-problems.ts'
import { Box, Section } from './section.tsx'

const passwordText = accountText.password

export function Password({ email }: { email: string }) {
  const hasPassword = useQuery(hasPasswordQuery())
  return (
    <Section title={passwordText.title} lead={passwordText.lead}>
      <Box>
        {hasPassword.isError && (
          <FailureNote error={hasPassword.error} onRetry={() => void hasPassword.refetch()} />
        )}
        {hasPassword.data === false ? <p>{passwordText.none}</p> : <PasswordForm email={email} />}
      </Box>
    </Section>
  )
}

function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient()
  const [problems, setProblems] = useState<PasswordProblems>({})
  const change = useMutation({
    mutationFn: ({ form: _form, ...input }: { form: HTMLFormElement; current: string; next: string }) =>
      changePassword({ currentPassword: input.current, newPassword: input.next }),
    onError: (error, { form }) => {
      if (isWrongPassword(error)) focusField(form, 'current')
    },
    onSuccess: (_answer, { form }) => {
      form.reset()
      notify(passwordText.done)
      return client.invalidateQueries({ queryKey: queryKeys.account.all })
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const input = { current: formFieldText(data, 'current'), next: formFieldText(data, 'next') }
    const found = passwordProblems(input)
    setProblems(found)
    focusField(form, Object.keys(found)[0])
    if (Object.keys(found).length === 0) change.mutate({ form, ...input })
  }
  const wrong = isWrongPassword(change.error) ? change.error : null
  const currentError = problems.current ?? wrong?.message
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {change.isError && wrong === null && (
        <FailureNote title={passwordText.failed} error={change.error} takeFocus />
      )}
      {/* Password managers look for the user name in the same form as the password. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <TextField
        name="current"
        type="password"
        label={passwordText.current}
        autoComplete="current-password"
        {...(currentError !== undefined && { error: currentError })}
      />
      <TextField
        name="next"
        type="password"
        label={passwordText.next}
        autoComplete="new-password"
        {...(problems.next ? { error: problems.next } : { description: passwordText.nextHint })}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" loading={change.isPending}>
          {passwordText.submit}
        </Button>
        <a href={href.reset()} className="rounded-sm text-[13px] text-kumo-link hover:underline">
          {passwordText.forgot}
        </a>
      </div>
    </form>
  )
}

const isWrongPassword = (error: unknown): error is SlipwayError =>
  error instanceof SlipwayError && error.code === 'invalid_password'
