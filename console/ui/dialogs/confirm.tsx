import { Dialog } from '@cloudflare/kumo/components/dialog'
import { type ReactNode, useState } from 'react'
import { dialogText } from '../../text/dialogs.en.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../page/failure.tsx'
import { TextField } from '../controls/text-field.tsx'
import { Button } from '../controls/button.tsx'

/** `consequence` says what the action changes and whether it can be undone. `error` is the error of the action, which the dialog shows. */
export interface ConfirmProps {
  title: string
  consequence: string
  submit: string
  /** The name of the deleted object. The user must type this name before the button is enabled. */
  typed?: string
  /** The label of the cancel button, for actions where “Cancel” could mean the action itself. */
  keep?: string
  /** Whether the action can be undone. */
  isHarmless?: boolean
  /** A list of the affected objects. */
  details?: ReactNode
  /** Whether the action cannot be confirmed, because what it affects is unknown or empty. */
  isBlocked?: boolean
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Returns the name as it looks: a page shows several blanks as one, and an invisible character cannot be typed. */
const visibleText = (name: string) =>
  name
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Asks before an action that is destructive or hard to undo. The caller runs the action and closes the dialog after it succeeds. */
export function Confirm(props: ConfirmProps) {
  const [typed, setTyped] = useState('')
  // Do not show the error of an attempt that was made before this dialog was opened.
  const [earlier] = useState(props.error)
  const error = props.error === earlier ? null : props.error
  const isNamed = props.typed === undefined || visibleText(typed) === visibleText(props.typed)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Dialog size="base" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold break-words text-kumo-strong">
          {props.title}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{props.consequence}</Dialog.Description>
        {props.details}
        {props.typed !== undefined && (
          <TextField
            label={dialogText.typeToConfirm(props.typed)}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {error ? <FailureNote error={error} /> : null}
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={props.onClose}>
            {props.keep ?? text.common.cancel}
          </Button>
          <Button
            variant={props.isHarmless ? 'primary' : 'destructive'}
            loading={props.busy}
            disabled={!isNamed || props.isBlocked === true}
            onClick={props.onConfirm}
          >
            {props.submit}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
