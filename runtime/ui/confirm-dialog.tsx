import { type ReactNode, useRef } from 'react'
import { useAction } from '../web/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface ConfirmDialogProps {
  /** The question, such as "Delete Fern?" */
  title: string
  open: boolean
  onClose: () => void
  /** When it succeeds, the dialog closes. When it fails, the dialog shows the error. */
  onConfirm: () => unknown
  /** The label of the confirming button, a verb and a noun: "Delete Fern". */
  confirmLabel: string
  cancelLabel?: string | undefined
  kind?: 'danger' | 'primary' | undefined
  /** The consequences of the action. */
  children: ReactNode
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog({ title, open, ...question }: ConfirmDialogProps) {
  return (
    <Dialog title={title} open={open} onClose={question.onClose}>
      <Question {...question} />
    </Dialog>
  )
}

/** Mounted only while the dialog is open, so that each question starts without an earlier error. */
function Question(props: Omit<ConfirmDialogProps, 'title' | 'open'>) {
  const { onClose, onConfirm, confirmLabel, cancelLabel = 'Cancel', kind = 'danger', children } = props
  const text = useRef<HTMLDivElement>(null)
  const { run, busy, problem } = useAction(async () => {
    await onConfirm()
    // The element is null once this question is closed. `onClose` would then close a later question.
    if (text.current !== null) onClose()
  })
  return (
    <>
      <div ref={text} className="dialog-text">
        {children}
      </div>
      {problem !== null && <Notice>{problem.text}</Notice>}
      <div className="form-actions">
        <Button kind={kind} busy={busy} onClick={run}>
          {confirmLabel}
        </Button>
        <Button onClick={onClose}>{cancelLabel}</Button>
      </div>
    </>
  )
}
