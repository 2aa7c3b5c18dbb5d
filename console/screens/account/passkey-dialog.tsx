import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useState } from 'react'
import { accountText } from '../../text/account.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { FormFooter } from '../../ui/controls/form-footer.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'

const passkeysText = accountText.passkeys

export function PasskeyDialog(props: {
  title: string
  hint?: string
  initial: string
  submit: string
  failed: string
  busy: boolean
  error: unknown
  onSubmit: (name: string) => void
  onClose: () => void
}) {
  const [isMissing, setMissing] = useState(false)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setMissing(name === '')
    if (name === '') focusField(event.currentTarget, 'name')
    else props.onSubmit(name)
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Dialog size="base" className="w-full p-6">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{props.title}</Dialog.Title>
          {props.hint && <Dialog.Description className="text-kumo-subtle">{props.hint}</Dialog.Description>}
          {props.error !== null && <FailureNote title={props.failed} error={props.error} takeFocus />}
          <TextField
            name="name"
            label={passkeysText.name}
            defaultValue={props.initial}
            maxLength={80}
            autoComplete="off"
            {...(isMissing ? { error: passkeysText.nameMissing } : { description: passkeysText.nameHint })}
          />
          <FormFooter submit={props.submit} busy={props.busy} onClose={props.onClose} />
        </form>
      </Dialog>
    </Dialog.Root>
  )
}
