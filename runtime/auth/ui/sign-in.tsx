import { useEffect, useState } from 'react'
import { manifest } from '../../manifest.gen.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { navigate, usePath } from '../../web/navigation.tsx'
import { auth } from '../client.ts'
import type { SignInSettings, SentMessage } from '../types.ts'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SentNote } from './sent-note.tsx'
import { errorOf, SmallForm } from './small-form.tsx'
import { useAction } from '../../web/use-action.ts'

export const SIGN_IN_PATH = '/sign-in'

/** Error messages by the value of `?problem=`. */
const PROBLEM_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: 'You were not signed in, because you stopped at the provider.',
    failed: 'The provider did not confirm who you are. Try again, or sign in in another way.',
    closed: 'This app takes new accounts by invitation only. Open the link of one that is still valid.',
    taken:
      'This address already has an account. Sign in as before and confirm the address in your account. After that, you can also sign in with the provider.',
    no_email: 'The provider did not tell an email address.',
    expired: 'This took too long, or was begun in another browser. Try again.',
    wait: 'Too many attempts. Try again in a minute.',
  }),
)

type SignInStep = 'start' | 'new' | 'forgotten'

/**
 * The sign-in form. On a page that requires a person, signing in returns to that page. With an invitation token the form offers to create
 * an account even while sign-up is closed.
 */
export function SignIn({ invite = null }: { invite?: string | null }) {
  const path = usePath()
  const [settings, setSettings] = useState<SignInSettings | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [step, setStep] = useState<SignInStep>('start')
  const [problem] = useState(
    () => PROBLEM_TEXTS.get(new URLSearchParams(location.search).get('problem') ?? '') ?? null,
  )
  useEffect(() => {
    auth
      .settings()
      .then(setSettings, (error: unknown) =>
        setFailure(error instanceof Error ? error.message : String(error)),
      )
  }, [])
  const title = { start: 'Sign in', new: 'Create an account', forgotten: 'Forgot your password?' }[step]
  const welcome = {
    start: `Welcome to ${manifest.name}.`,
    new: `You need one to use ${manifest.name}.`,
    forgotten: undefined,
  }[step]
  const description =
    invite === null
      ? welcome
      : `You are invited to a team of ${manifest.name}. Sign in or create an account, then join it.`
  const onDone = () => {
    if (path === SIGN_IN_PATH) navigate('/', { replace: true })
  }
  return (
    <Page title={title} description={description}>
      {problem !== null && <Notice>{problem}</Notice>}
      <div className="narrow">
        <Card>
          {failure !== null && <Notice>{failure}</Notice>}
          {failure === null && settings === null && <Skeleton />}
          {settings !== null && step === 'forgotten' && <Forgotten onBack={() => setStep('start')} />}
          {settings !== null && step !== 'forgotten' && (
            <SignInMethodList
              settings={settings}
              invite={invite}
              isNew={step === 'new'}
              onStep={setStep}
              onDone={onDone}
            />
          )}
        </Card>
      </div>
    </Page>
  )
}

interface SignInMethodsProps {
  settings: SignInSettings
  invite: string | null
  isNew: boolean
  onStep: (step: SignInStep) => void
  onDone: () => void
}

function SignInMethodList({ settings, invite, isNew, onStep, onDone }: SignInMethodsProps) {
  const { methods } = settings
  const path = usePath()
  // Keep the query, because an invitation link contains its token there.
  const returnTo = path === SIGN_IN_PATH ? '/' : `${path}${location.search}`
  return (
    <div className="ways">
      {methods.password && (
        <PasswordForm
          isNew={isNew}
          invite={invite}
          canSignUp={settings.openSignup || invite !== null}
          rules={settings}
          onStep={onStep}
          onDone={onDone}
        />
      )}
      {methods.emailCode && <CodeSignIn hasField={!methods.password} invite={invite} onDone={onDone} />}
      {methods.passkey && <PasskeySignIn onDone={onDone} />}
      {methods.oauth.map(({ id, title }) => (
        <Button key={id} onClick={() => auth.oauth(id, { returnTo })}>
          {`Continue with ${title}`}
        </Button>
      ))}
    </div>
  )
}

interface CodeSignInProps {
  hasField: boolean
  invite: string | null
  onDone: () => void
}

/** Signing in with a mailed code. Below the password form it starts collapsed. */
function CodeSignIn({ hasField, invite, onDone }: CodeSignInProps) {
  const invited = invite === null ? {} : { invite }
  const [isOpen, setIsOpen] = useState(hasField)
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<SentMessage | null>(null)
  const form = useAction(async () => setSent(await auth.sendCode(email, invited)))
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Get a code by email</Button>
  if (sent !== null)
    return (
      <CodeForm
        sent={sent}
        note={`If ${email} may sign in here, a code is on its way. It works for 10 minutes.`}
        submitLabel="Sign in with the code"
        onCode={async (code) => {
          await auth.confirmCode(email, code, invited)
          onDone()
        }}
        onBack={() => setSent(null)}
      />
    )
  return (
    <SmallForm form={form} fields={['email']} submitLabel="Send a code">
      <TextField
        label="Email for the code"
        kind="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        error={errorOf(form, 'email')}
        required
      />
    </SmallForm>
  )
}

function PasskeySignIn({ onDone }: { onDone: () => void }) {
  const form = useAction(async () => {
    await auth.passkeys.signIn()
    onDone()
  })
  return (
    <>
      <Button busy={form.busy} onClick={form.run}>
        Sign in with a passkey
      </Button>
      {form.problem !== null && <Notice>{form.problem.text}</Notice>}
    </>
  )
}

function Forgotten({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<SentMessage | null>(null)
  const form = useAction(async () => setSent(await auth.requestReset(email)))
  return (
    <SmallForm
      form={form}
      fields={['email']}
      submitLabel={sent === null ? 'Send a link' : null}
      actions={<Button onClick={onBack}>Back</Button>}
    >
      {sent === null ? (
        <TextField
          label="Email"
          kind="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={errorOf(form, 'email')}
          hint="You get a link to choose a new password."
          required
        />
      ) : (
        <SentNote
          sent={sent}
        >{`If ${email} has an account, a link is on its way. It works for an hour.`}</SentNote>
      )}
    </SmallForm>
  )
}
