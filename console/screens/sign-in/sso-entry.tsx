import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { beginSso } from '../../api/account/auth.ts'
import { safeReturnPath } from '../../routes.ts'
import { ssoEntryText } from '../../text/sso-entry.en.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { formFieldText, looksLikeEmail } from './credentials.ts'
import { EmailField, EntryForm } from './entry-form.tsx'

/** Opens the sign-in of the identity provider that belongs to the domain of an e-mail address. */
export function SsoEntry({
  title,
  next,
  onBack,
  leave = (url) => location.assign(url),
}: {
  /** Null where an element around the form shows the heading. */
  title: string | null
  next: string | undefined
  onBack: () => void
  /** Opens the provider's page; replaced in tests. */
  leave?: (url: string) => void
}) {
  const [problem, setProblem] = useState<string | undefined>()
  const begin = useMutation({
    mutationFn: (email: string) => beginSso(email, safeReturnPath(next)),
    onSuccess: ({ url }) => leave(url),
  })
  const submit = (form: FormData) => {
    const email = formFieldText(form, 'email').trim()
    const found = looksLikeEmail(email) ? undefined : signInText.emailMissing
    setProblem(found)
    if (found === undefined) begin.mutate(email)
    return found === undefined ? {} : { email: found }
  }
  return (
    <EntryForm
      title={title}
      lead={ssoEntryText.lead}
      error={begin.error}
      submit={ssoEntryText.submit}
      isPending={begin.isPending || begin.isSuccess}
      onSubmit={submit}
      other={
        <Button type="button" variant="ghost" onClick={onBack}>
          {ssoEntryText.back}
        </Button>
      }
    >
      <EmailField error={problem} />
    </EntryForm>
  )
}
