import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { OtherWay } from './entry-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const signInFormText = signInText.signIn

// Loaded on demand, so that the sign-in page loads less code before it is shown.
const SsoEntry = lazy(() => import('./sso-entry.tsx').then((module) => ({ default: module.SsoEntry })))

export function SignIn() {
  usePageTitle(signInFormText.title)
  const { next, error } = useSearch({ from: '/signed-out/sign-in' })
  const [isWithSso, setWithSso] = useState(false)
  const enter = useAfterSignIn(next)
  const { history } = useRouter()
  if (isWithSso)
    return (
      <Suspense fallback={null}>
        <SsoEntry title={signInFormText.sso} next={next} onBack={() => setWithSso(false)} />
      </Suspense>
    )
  return (
    <PasswordForm
      title={signInFormText.title}
      // A single sign-on that failed returns here with `error`, set by the identity provider or by the
      // service.
      lead={error === undefined ? signInFormText.lead : signInFormText.refused(error)}
      next={next}
      onIn={enter}
      onCode={() => history.push(href.twoFactor(next))}
      other={
        <>
          <Button type="button" size="lg" className="w-full justify-center" onClick={() => setWithSso(true)}>
            {signInFormText.sso}
          </Button>
          <OtherWay
            question={signInFormText.other}
            action={signInFormText.otherAction}
            to={href.signUp(next)}
          />
        </>
      }
    />
  )
}
