import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { OtherWay } from './entry-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const words = signInText.signIn

// Loaded on demand, so that the sign-in page loads less code before it is shown.
const SsoEntry = lazy(() => import('./sso-entry.tsx').then((module) => ({ default: module.SsoEntry })))

export function SignIn() {
  usePageTitle(words.title)
  const { next, error } = useSearch({ from: '/signed-out/sign-in' })
  const [isWithSso, setWithSso] = useState(false)
  const enter = useAfterSignIn(next)
  const { history } = useRouter()
  if (isWithSso)
    return (
      <Suspense fallback={null}>
        <SsoEntry title={words.sso} next={next} onBack={() => setWithSso(false)} />
      </Suspense>
    )
  return (
    <PasswordForm
      title={words.title}
      // A single sign-on that failed returns here with `error`, set by the identity provider or by the
      // service.
      lead={error === undefined ? words.lead : words.refused(error)}
      next={next}
      onIn={enter}
      onCode={() => history.push(href.twoFactor(next))}
      other={
        <>
          <Button type="button" size="lg" className="w-full justify-center" onClick={() => setWithSso(true)}>
            {words.sso}
          </Button>
          <OtherWay question={words.other} action={words.otherAction} to={href.signUp(next)} />
        </>
      }
    />
  )
}
