import { Dialog } from '@cloudflare/kumo/components/dialog'
import { type ReactNode, useState } from 'react'
import { dialogText } from '../../text/dialogs.en.ts'

/** A dialog with a form. After something was typed, the first Escape or click outside only warns that the input would be lost. */
export function FormDialog(props: {
  size: 'base' | 'lg'
  className: string
  /** True when the form opens with a draft, which closing discards. */
  hasDraft?: boolean
  /** True while the request of the form runs and after it succeeded. Closing then does not warn of lost input. */
  isSent?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const [typed, setTyped] = useState<'nothing' | 'unsaved' | 'warned'>(props.hasDraft ? 'unsaved' : 'nothing')
  const { isSent = false } = props
  const tryToClose = () => (typed === 'unsaved' && !isSent ? setTyped('warned') : props.onClose())
  return (
    <Dialog.Root open onOpenChange={(open) => !open && tryToClose()}>
      <Dialog size={props.size} className={props.className}>
        <div className="contents" onChange={() => setTyped('unsaved')}>
          {typed === 'warned' && !isSent && (
            <p
              role="alert"
              // Scroll to the warning: a form that is taller than the window may be scrolled to another part.
              ref={(note) => note?.scrollIntoView?.({ block: 'nearest' })}
              className="mb-3 rounded-lg bg-kumo-warning-tint px-3 py-2"
            >
              {dialogText.unsaved}
            </p>
          )}
          {props.children}
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
