import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { useAction } from '../../web/use-action.ts'

interface SmallFormProps {
  form: ReturnType<typeof useAction>
  /** Names of the fields that show their own errors. Any other error is shown below the fields. */
  fields: readonly string[]
  children: ReactNode
  /** Null hides the submit button, for a form that has nothing more to send. */
  submitLabel: string | null
  actions?: ReactNode
}

export function SmallForm({ form, fields, children, submitLabel, actions }: SmallFormProps) {
  const { problem } = form
  return (
    <form className="form form-narrow" noValidate onSubmit={form.onSubmit}>
      {children}
      {problem !== null && !fields.includes(problem.field ?? '') && <Notice>{problem.text}</Notice>}
      <div className="form-actions">
        {submitLabel !== null && (
          <Button type="submit" busy={form.busy}>
            {submitLabel}
          </Button>
        )}
        {actions}
      </div>
    </form>
  )
}

/** Returns the error text of `field`; null when the error is about something else. */
export const errorOf = ({ problem }: SmallFormProps['form'], field: string): string | null =>
  problem?.field === field ? problem.text : null
