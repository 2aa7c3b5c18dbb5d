import { useRouter, useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { OtherWay } from './entry-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { useEnter } from './use-enter.ts'

const words = signInText.signIn

export function SignIn() {
  usePageTitle(words.title)
  const { next } = useSearch({ from: '/signed-out/sign-in' })
  const enter = useEnter(next)
  const { history } = useRouter()
  return (
    <PasswordForm
      title={words.title}
      lead={words.lead}
      next={next}
      onIn={enter}
      onCode={() => history.push(href.twoFactor(next))}
      other={<OtherWay question={words.other} action={words.otherAction} to={href.signUp(next)} />}
    />
  )
}
