import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { rewordError } from '../../api/request/reword-error.ts'
import { signIn } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { formFieldText, signInProblems } from './credentials.ts'
import { EmailField, EntryForm, EntryLink } from './entry-form.tsx'

const signInFormText = signInText.signIn

// Loaded on demand, so that the sign-in page loads less code before it is shown.
const PasskeyButton = lazy(() =>
  import('./passkey-button.tsx').then((module) => ({ default: module.PasskeyButton })),
)
const SendVerification = lazy(() =>
  import('./send-verification.tsx').then((module) => ({ default: module.SendVerification })),
)

/** The first step of every sign-in: address and password. The sign-in page and the dialog to sign in again share it. */
export function PasswordForm(props: {
  title: string | null
  lead: string
  /** Set when the account is already known. The form then has no field for the address. */
  email?: string
  /** The path to open after the sign-in. */
  next?: string | undefined
  onIn: () => unknown
  /** Called when the password is right and a second factor is needed. */
  onCode: () => void
  other?: React.ReactNode
}) {
  const [problems, setProblems] = useState<ReturnType<typeof signInProblems>>({})
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect ? props.onCode() : props.onIn()),
  })
  const submit = (form: FormData) => {
    const input = { email: formFieldText(form, 'email').trim(), password: formFieldText(form, 'password') }
    const found = signInProblems(input)
    setProblems(found)
    if (Object.keys(found).length === 0) entering.mutate(input)
    else entering.reset()
    return found
  }
  const error = rewordError(entering.error, ERROR_SENTENCES)
  return (
    <EntryForm
      title={props.title}
      lead={props.lead}
      error={error}
      remedy={
        isEmailUnverified(entering.error) && (
          <Suspense fallback={null}>
            <SendVerification email={entering.variables?.email ?? ''} next={props.next} />
          </Suspense>
        )
      }
      submit={signInFormText.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={
        <>
          <div className="min-h-10">
            <Suspense fallback={null}>
              <PasskeyButton onIn={props.onIn} />
            </Suspense>
          </div>
          {props.other}
        </>
      }
    >
      {props.email === undefined ? (
        <EmailField error={problems.email} />
      ) : (
        // Password managers look for the user name beside the password.
        <input type="hidden" name="email" autoComplete="username" value={props.email} />
      )}
      <div className="space-y-2">
        <TextField
          name="password"
          type="password"
          size="lg"
          label={signInText.password}
          autoComplete="current-password"
          {...(problems.password && { error: problems.password })}
        />
        {props.email === undefined && (
          <p className="text-[13px]">
            <EntryLink to={href.reset()}>{signInFormText.forgot}</EntryLink>
          </p>
        )}
      </div>
    </EntryForm>
  )
}

/**
 * The messages by error code. A wrong address and a wrong password have the same code, so the same message is shown for both. That message
 * does not reveal which accounts exist.
 */
const ERROR_SENTENCES = {
  invalid_email_or_password: signInFormText.wrong,
  email_not_verified: signInFormText.unverified,
  rate_limited: signInText.throttled,
}

const isEmailUnverified = (error: unknown) =>
  error !== null && typeof error === 'object' && 'code' in error && error.code === 'email_not_verified'
