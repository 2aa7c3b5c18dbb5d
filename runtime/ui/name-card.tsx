import { useState } from 'react'
import { useAction } from '../web/use-action.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { TextField } from './fields/fields.tsx'

interface NameCardProps {
  title: string
  label: string
  autoComplete?: 'name' | 'off'
  before?: string
  submit: string
  /** When it throws, the error is shown at the name field. */
  save: (name: string) => Promise<unknown>
}

export function NameCard({ title, label, autoComplete = 'off', before = '', submit, save }: NameCardProps) {
  const [name, setName] = useState(before)
  const form = useAction(() => save(name))
  return (
    <Card title={title}>
      <form className="form form-narrow" noValidate onSubmit={form.onSubmit}>
        <TextField
          label={label}
          autoComplete={autoComplete}
          value={name}
          onChange={setName}
          error={form.problem?.text ?? null}
          required
        />
        <div className="form-actions">
          <Button type="submit" busy={form.busy}>
            {submit}
          </Button>
        </div>
      </form>
    </Card>
  )
}
