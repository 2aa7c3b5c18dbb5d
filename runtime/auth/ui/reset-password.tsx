import { useEffect, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import { auth } from '../client.ts'
import { newPasswordIn } from '../sign-in/password-rule.ts'
import { NewPassword, type PasswordRule } from './new-password.tsx'
import { SIGN_IN_PATH } from './sign-in.tsx'
import { errorOf, SmallForm } from './small-form.tsx'
import { useAction } from '../../web/use-action.ts'

/** The page that the link in a reset message opens. */
export const RESET_PATH = '/reset-password'

/** Reads the token from the fragment of the address. */
export function ResetPassword() {
  const [token] = useState(() => location.hash.slice(1))
  const [password, setPassword] = useState('')
  const [rule, setRule] = useState<PasswordRule>(null)
  useEffect(() => {
    auth.settings().then(setRule, () => {})
  }, [])
  const form = useAction(async () => {
    if (rule !== null) newPasswordIn(rule, password, 'password')
    await auth.reset(token, password)
    showToast('Password changed. Sign in with it.')
    navigate(SIGN_IN_PATH, { replace: true })
  })
  return (
    <Page title="Choose a new password" description="Every device is signed out.">
      <div className="narrow">
        <Card>
          <SmallForm form={form} fields={['password']} submitLabel="Save password">
            <NewPassword
              label="New password"
              rule={rule}
              value={password}
              onChange={setPassword}
              error={errorOf(form, 'password')}
            />
          </SmallForm>
        </Card>
      </div>
    </Page>
  )
}
