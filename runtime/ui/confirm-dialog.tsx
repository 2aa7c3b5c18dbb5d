import type { ReactNode } from 'react'
import { useAction } from '../web/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface ConfirmDialogProps {
  /** The question: "Delete Fern?" */
  title: string
  open: boolean
  onClose: () => void
  /** Closes the dialog when it succeeds; a failure is shown inside it. */
  onConfirm: () => unknown
  /** The label of the button that does it, with verb and noun: "Delete Fern". */
  confirmLabel: string
  cancelLabel?: string | undefined
  kind?: 'danger' | 'primary' | undefined
  /** What will happen. */
  children: ReactNode
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, open, ...question }: ConfirmDialogProps) {
  return (
    <Dialog title={title} open={open} onClose={question.onClose}>
      <Question {...question} />
    </Dialog>
  )
}

/** Exists while the dialog is open, so that each question begins without the failure of the one before. */
function Question(props: Omit<ConfirmDialogProps, 'title' | 'open'>) {
  const { onClose, onConfirm, confirmLabel, cancelLabel = 'Cancel', kind = 'danger', children } = props
  const { run, busy, problem } = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <>
      <div className="dialog-text">{children}</div>
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
