import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { useAction } from '../../web/use-action.ts'

interface SmallFormProps {
  form: ReturnType<typeof useAction>
  /** Names of the fields that show their own problems. Any other problem is shown below the fields. */
  fields: readonly string[]
  children: ReactNode
  /** Null once there is nothing more to send. */
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

/** Null unless the problem is about this field. */
export const errorOf = ({ problem }: SmallFormProps['form'], field: string): string | null =>
  problem?.field === field ? problem.text : null
