import type { FormEvent, ReactNode } from 'react'
import { text } from '../../../text/en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { SaveFailure } from './save-failure.tsx'

interface AddFormProps {
  title: string
  hint?: string
  submit: string
  /** The label of the field to fill in first; null when nothing is missing. */
  missing: string | null
  isSaving: boolean
  /** The error of the last save, or null. */
  error: Error | null
  onSubmit: () => void
  children: ReactNode
}

/** A form that adds or changes an entry in the settings of a capability, such as an endpoint. */
export function AddForm({ title, hint, submit, missing, isSaving, error, onSubmit, children }: AddFormProps) {
  const onSend = (event: FormEvent) => {
    event.preventDefault()
    if (!isSaving) onSubmit()
  }
  return (
    <form
      noValidate
      onSubmit={onSend}
      aria-label={title}
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div>
        <h2 className="font-medium text-kumo-strong">{title}</h2>
        {hint !== undefined && <p className="text-[13px] text-kumo-subtle">{hint}</p>}
      </div>
      {error !== null && <SaveFailure error={error} />}
      {children}
      <ReasonButton
        type="submit"
        variant="primary"
        loading={isSaving}
        reason={missing === null ? null : text.common.fillIn(missing)}
      >
        {submit}
      </ReasonButton>
    </form>
  )
}
