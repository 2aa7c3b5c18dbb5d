import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { auth } from '../client.ts'
import { useAction } from '../../web/use-action.ts'
import { newPasswordIn } from '../sign-in/password-rule.ts'
import type { SignInSettings, SentMessage } from '../types.ts'
import { CodeForm } from './code-form.tsx'
import { NewPassword } from './new-password.tsx'
import { errorOf, SmallForm } from './small-form.tsx'

interface PasswordFormProps {
  isNew: boolean
  /** The token of the invitation when the form is on an invitation page; otherwise null. */
  invite: string | null
  canSignUp: boolean
  rules: Pick<SignInSettings, 'passwordMin' | 'confirmAddress'>
  onStep: (step: 'start' | 'new' | 'forgotten') => void
  onDone: () => void
}

export function PasswordForm({ isNew, invite, canSignUp, rules, onStep, onDone }: PasswordFormProps) {
  const [values, setValues] = useState({ name: '', email: '', password: '' })
  const [sent, setSent] = useState<SentMessage | null>(null)
  const account = { ...values, ...(invite !== null && { invite }) }
  const creating = useAction(async () => {
    newPasswordIn(rules, values.password, 'password')
    if (rules.confirmAddress) return setSent(await auth.sendSignUp(account))
    await auth.signUp(account)
    onDone()
  })
  const signingIn = useAction(async () => {
    await auth.signIn(values)
    onDone()
  })
  // Each form has its own error, so that the error about a wrong password is not shown in the form for a new account.
  const form = isNew ? creating : signingIn
  const fieldOf = (name: keyof typeof values) => ({
    value: values[name],
    required: true,
    error: errorOf(form, name),
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  if (sent !== null)
    return (
      <CodeForm
        sent={sent}
        note={`A message is on its way to ${values.email}. Its code works for 10 minutes.`}
        submitLabel="Create the account"
        onCode={async (code) => {
          await auth.signUp({ ...account, code })
          onDone()
        }}
        onBack={() => setSent(null)}
      />
    )
  return (
    <SmallForm
      form={form}
      fields={Object.keys(values)}
      submitLabel={isNew ? 'Create an account' : 'Sign in'}
      actions={
        <>
          {(canSignUp || isNew) && (
            <Button onClick={() => onStep(isNew ? 'start' : 'new')}>
              {isNew ? 'I have an account' : 'Create an account'}
            </Button>
          )}
          {!isNew && <Button onClick={() => onStep('forgotten')}>Forgot your password?</Button>}
        </>
      }
    >
      {isNew && <TextField label="Name" autoComplete="name" {...fieldOf('name')} />}
      <TextField label="Email" kind="email" autoComplete="username" {...fieldOf('email')} />
      {isNew ? (
        <NewPassword label="Password" rule={rules} {...fieldOf('password')} />
      ) : (
        <TextField
          label="Password"
          kind="password"
          autoComplete="current-password"
          {...fieldOf('password')}
        />
      )}
    </SmallForm>
  )
}
