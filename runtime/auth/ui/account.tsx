import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { NameCard } from '../../ui/name-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import { auth } from '../client.ts'
import { newPasswordIn } from '../sign-in/password-rule.ts'
import type { Session, SignInSettings, User } from '../types.ts'
import { deviceName } from './device-name.ts'
import { NewPassword, type PasswordRule } from './new-password.tsx'
import { Passkeys } from './passkeys.tsx'
import { errorOf, SmallForm } from './small-form.tsx'
import { actionProblem, useAction } from '../../web/use-action.ts'
import { useLatest } from '../../web/use-latest.ts'
import { VerifyAddress } from './verify-address.tsx'

export const ACCOUNT_PATH = '/account'

export function Account({ user }: { user: User }) {
  const [settings, setSettings] = useState<SignInSettings | null>(null)
  useEffect(() => {
    // When loading the settings fails, show only the parts that do not depend on them.
    auth.settings().then(setSettings, () => {})
  }, [])
  const signingOut = useAction(async () => {
    await auth.signOut()
    navigate('/')
  })
  return (
    <Page
      title="Your account"
      description={user.email}
      actions={
        <Button busy={signingOut.busy} onClick={signingOut.run}>
          Sign out
        </Button>
      }
    >
      {signingOut.problem !== null && <Notice>{signingOut.problem.text}</Notice>}
      <Name user={user} />
      {!user.emailVerified && <VerifyAddress user={user} />}
      {settings?.methods.password !== false && <Password rule={settings} />}
      {settings?.methods.passkey === true && <Passkeys />}
      <Sessions />
    </Page>
  )
}

function Name({ user }: { user: User }) {
  const saveName = async (name: string) => {
    await auth.update({ name })
    showToast('Name saved')
  }
  return (
    <NameCard
      title="Profile"
      label="Name"
      autoComplete="name"
      before={user.name}
      submit="Save name"
      save={saveName}
    />
  )
}

function Password({ rule }: { rule: PasswordRule }) {
  const [values, setValues] = useState({ current: '', next: '' })
  const form = useAction(async () => {
    if (rule !== null) newPasswordIn(rule, values.next, 'next')
    await auth.changePassword(values)
    setValues({ current: '', next: '' })
    showToast('Password changed. Other devices are signed out.')
  })
  const fieldOf = (name: keyof typeof values) => ({
    value: values[name],
    required: true,
    error: errorOf(form, name),
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  return (
    <Card title="Password">
      <SmallForm form={form} fields={Object.keys(values)} submitLabel="Change password">
        <TextField
          label="Current password"
          kind="password"
          autoComplete="current-password"
          {...fieldOf('current')}
        />
        <NewPassword label="New password" rule={rule} {...fieldOf('next')} />
      </SmallForm>
    </Card>
  )
}

function Sessions() {
  const [sessions, setSessions] = useState<Session[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const showProblem = (error: unknown) => setProblem(actionProblem(error).text)
  const loadSessions = useLatest(() => auth.sessions.list(), setSessions)
  useEffect(() => void loadSessions().catch(showProblem), [])
  const endSession = async (session: Session) => {
    setProblem(null)
    try {
      await auth.sessions.revoke(session.id)
      await loadSessions()
      showToast(`${deviceName(session.device)} is signed out`)
    } catch (error) {
      showProblem(error)
    }
  }
  return (
    <Card title="Where you are signed in">
      {problem !== null && <Notice>{problem}</Notice>}
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id} className="row">
            <span>
              {deviceName(session.device)}
              <span className="row-note">
                {session.current
                  ? 'This device'
                  : `Last seen ${new Date(session.lastSeenAt).toLocaleString()}`}
              </span>
            </span>
            {!session.current && (
              <Button
                aria-label={`Sign out ${deviceName(session.device)}`}
                onClick={() => void endSession(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
