import { Button } from '@cloudflare/kumo/components/button'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { text } from '../text/en.ts'
import { FailureNote } from './failure.tsx'

export interface ConfirmProps {
  title: string
  consequence: string
  submit: string
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Names the thing and the consequence before something is gone. */
export function Confirm(props: ConfirmProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Dialog size="base" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold break-words text-kumo-strong">
          {props.title}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{props.consequence}</Dialog.Description>
        {props.error ? <FailureNote error={props.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={props.onClose}>
            {text.common.cancel}
          </Button>
          <Button variant="destructive" loading={props.busy} onClick={props.onConfirm}>
            {props.submit}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
