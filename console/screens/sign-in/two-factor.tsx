import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { CodeForm } from './code-form.tsx'
import { EntryLink } from './entry-form.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

export function TwoFactorChallenge() {
  usePageTitle(signInStepsText.twoFactor.title)
  const { next } = useSearch({ from: '/signed-out/two-factor' })
  const enter = useAfterSignIn(next)
  return (
    <CodeForm
      title={signInStepsText.twoFactor.title}
      lead={signInStepsText.twoFactor.lead}
      onIn={enter}
      other={
        <p>
          <EntryLink to={href.signIn(next)}>{signInText.backToSignIn}</EntryLink>
        </p>
      }
    />
  )
}
