import { Dialog } from '@cloudflare/kumo/components/dialog'
import { type ReactNode, useState } from 'react'
import { text } from '../../text/en.ts'
import { FailureNote } from '../page/failure.tsx'
import { TextField } from '../controls/text-field.tsx'
import { Button } from '../controls/button.tsx'

export interface ConfirmProps {
  title: string
  consequence: string
  submit: string
  /** Must be typed before it can be confirmed: the name of what will be gone. */
  typed?: string
  /** What keeps things as they are, where “Cancel” could be read as the act itself. */
  keep?: string
  /** For a change that can be taken back. */
  isHarmless?: boolean
  /** What is concerned, one by one. */
  details?: ReactNode
  /** Not known yet, or nothing to do: it cannot be confirmed. */
  isBlocked?: boolean
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Names the thing and the consequence before something is gone. */
export function Confirm(props: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const isNamed = props.typed === undefined || typed.trim() === props.typed
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
            label={text.common.typeToConfirm(props.typed)}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {props.error ? <FailureNote error={props.error} /> : null}
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
