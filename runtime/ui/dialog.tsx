import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icons.tsx'

interface DialogProps {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal window. The native element keeps the focus inside and restores it at the end. */
export function Dialog({ title, open, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (open && dialog?.open === false) {
      dialog.showModal()
      // Its first field, or the button that changes nothing; by itself the element would focus "Close".
      const first = dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')
      ;(first ?? dialog.querySelector<HTMLElement>('.dialog-body .button-plain'))?.focus()
    }
    if (!open && dialog?.open === true) dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      // The element itself is hit only outside its content: on the backdrop.
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      {open && (
        <div className="dialog-box">
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          <div className="dialog-body">{children}</div>
        </div>
      )}
    </dialog>
  )
}
