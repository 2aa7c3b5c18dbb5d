import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from './icons.tsx'
import { Notice } from './notice.tsx'

interface DialogProps {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}

/** Matches an unsaved form: one that is still being sent, that has a rejected field, or that was rejected as a whole. */
const NOT_SAVED = '[aria-busy="true"], [aria-invalid="true"], [role="alert"]'

/**
 * A modal window. The native element keeps the focus inside and restores it afterwards. After input in a form, the first attempt to close
 * only warns, unless the form was submitted without an error.
 */
export function Dialog({ title, open, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [typed, setTyped] = useState<'nothing' | 'unsaved' | 'sent' | 'warned'>('nothing')
  useEffect(() => {
    const dialog = ref.current
    setTyped('nothing')
    if (open && dialog?.open === false) {
      dialog.showModal()
      // Focus the first field, or else the button that changes nothing. By default the element would focus "Close".
      const first = dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')
      ;(first ?? dialog.querySelector<HTMLElement>('.dialog-body .button-plain'))?.focus()
    }
    if (!open && dialog?.open === true) dialog.close()
  }, [open])
  const mayClose = () => {
    const isUnsaved =
      typed === 'unsaved' || (typed === 'sent' && ref.current?.querySelector(NOT_SAVED) !== null)
    if (isUnsaved) setTyped('warned')
    return !isUnsaved
  }
  const noteInput = (event: FormEvent<HTMLElement>) =>
    (event.target as HTMLElement).closest('form') !== null && setTyped('unsaved')
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      // A file field in the dialog also fires this event, when its picker is cancelled.
      onCancel={(event) => event.target !== ref.current || mayClose() || event.preventDefault()}
      onInput={noteInput}
      onSubmit={() => setTyped((before) => (before === 'nothing' ? before : 'sent'))}
      // The target is the element itself only for a click on the backdrop.
      onMouseDown={(event) => event.target === ref.current && mayClose() && onClose()}
    >
      {open && (
        <div className="dialog-box">
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <button
              type="button"
              className="icon-button"
              aria-label="Close"
              onClick={() => mayClose() && onClose()}
            >
              <Icon name="close" />
            </button>
          </div>
          {typed === 'warned' && <Notice>What you typed is not saved. Close again to discard it.</Notice>}
          <div className="dialog-body">{children}</div>
        </div>
      )}
    </dialog>
  )
}
