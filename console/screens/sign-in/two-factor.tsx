import { waysInText } from '../../text/ways-in.en.ts'
import { useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { CodeForm } from './code-form.tsx'
import { EntryLink } from './entry-form.tsx'
import { useEnter } from './use-enter.ts'

export function TwoFactor() {
  usePageTitle(waysInText.twoFactor.title)
  const { next } = useSearch({ from: '/signed-out/two-factor' })
  const enter = useEnter(next)
  return (
    <CodeForm
      title={waysInText.twoFactor.title}
      lead={waysInText.twoFactor.lead}
      onIn={enter}
      other={
        <p>
          <EntryLink to={href.signIn(next)}>{signInText.backToSignIn}</EntryLink>
        </p>
      }
    />
  )
}
