import { Dialog } from '@cloudflare/kumo/components/dialog'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasPasswordQuery } from '../../api/account/auth.ts'
import { accountText } from '../../text/account.en.ts'
import { FailureNote, LoadFailure } from '../../ui/page/failure.tsx'
import { FormFooter } from '../../ui/controls/form-footer.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'

const twoFactorText = accountText.twoFactor

export function PasswordDialog(props: {
  title: string
  consequence: string
  submit: string
  isDestructive?: boolean
  busy: boolean
  error: unknown
  onSubmit: (password: string | undefined) => void
  onClose: () => void
}) {
  const reading = useQuery(hasPasswordQuery())
  const hasPassword = reading.data ?? true
  const [isMissing, setMissing] = useState(false)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    setMissing(hasPassword && password === '')
    if (hasPassword && password === '') focusField(event.currentTarget, 'password')
    else props.onSubmit(hasPassword ? password : undefined)
  }
  const { error } = props
  const isWrong = error instanceof SlipwayError && error.code === 'invalid_password'
  const problem = isMissing ? twoFactorText.passwordMissing : isWrong ? error.message : undefined
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Dialog size="base" className="w-full p-6">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{props.title}</Dialog.Title>
          <Dialog.Description className="text-kumo-subtle">{props.consequence}</Dialog.Description>
          <LoadFailure query={reading} />
          {error !== null && !isWrong && <FailureNote error={error} takeFocus />}
          {hasPassword && (
            <TextField
              name="password"
              type="password"
              label={twoFactorText.password}
              autoComplete="current-password"
              {...(problem !== undefined && { error: problem })}
            />
          )}
          <FormFooter
            submit={props.submit}
            busy={props.busy}
            isDestructive={props.isDestructive ?? false}
            onClose={props.onClose}
          />
        </form>
      </Dialog>
    </Dialog.Root>
  )
}
