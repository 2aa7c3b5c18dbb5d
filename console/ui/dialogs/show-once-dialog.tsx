import { Dialog } from '@cloudflare/kumo/components/dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { dialogText } from '../../text/dialogs.en.ts'
import { useStayOnPage } from '../browser/use-stay-on-page.ts'
import { Button } from '../controls/button.tsx'
import { FormDialog } from './form-dialog.tsx'

/** The time after which a user wonders why neither Cancel nor Escape closes the dialog. The request may take longer than a minute. */
const PATIENCE_MS = 10_000

/**
 * Creates something with a form, then shows its secret once. Only this dialog holds the secret, so it and its page stay open from the
 * request until the user has confirmed to have saved the secret. The form reports with `onBusy` whether its request runs.
 */
export function ShowOnceDialog<Made>(props: {
  /** True when the form opens with a draft, which closing discards. */
  hasDraft?: boolean
  onClose: () => void
  form: (onMade: (made: Made) => void, onBusy: (isBusy: boolean) => void) => ReactNode
  once: (made: Made) => ReactNode
}) {
  const [made, setMade] = useState<{ value: Made } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mustStay = isBusy || made !== null
  useStayOnPage(mustStay)
  return (
    // While the request runs or the secret is shown, neither Escape nor a click outside closes the dialog.
    <FormDialog
      size="lg"
      className="max-h-[calc(100dvh-8rem)] w-full overflow-y-auto p-6"
      hasDraft={props.hasDraft ?? false}
      isSent={mustStay}
      onClose={() => !mustStay && props.onClose()}
    >
      {made === null ? props.form((value) => setMade({ value }), setBusy) : props.once(made.value)}
      <p role="status" className="mt-4 text-kumo-subtle empty:hidden">
        {isBusy && <WaitNote />}
      </p>
    </FormDialog>
  )
}

/** Says what the dialog waits for, once the request has run for a while. */
function WaitNote() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    // Scroll to the note: it may be below the visible part of a dialog that is taller than the window.
    <span ref={(note) => note?.scrollIntoView?.({ block: 'nearest' })}>{dialogText.mustWait}</span>
  )
}

/** The second step of a `ShowOnceDialog`. Its only button says that the secret was saved, because the secret cannot be shown again. */
export function ShowOnceContent(props: {
  title: string
  hint: string
  saved: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold break-words text-kumo-strong">
        {props.title}
      </Dialog.Title>
      <Dialog.Description className="text-kumo-subtle">{props.hint}</Dialog.Description>
      {props.children}
      <div className="flex justify-end">
        <Button variant="primary" onClick={props.onClose}>
          {props.saved}
        </Button>
      </div>
    </div>
  )
}
