import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Sent } from '../client.ts'
import { SentNote } from './sent-note.tsx'
import { useAction } from '../../web/use-action.ts'

interface CodeFormProps {
  sent: Sent
  note: string
  submitLabel: string
  onCode: (code: string) => Promise<unknown>
  onBack: () => void
}

/** Asks for the code that was sent. */
export function CodeForm({ sent, note, submitLabel, onCode, onBack }: CodeFormProps) {
  const [code, setCode] = useState('')
  const form = useAction(() => onCode(code))
  return (
    <form className="form form-narrow" noValidate onSubmit={form.onSubmit}>
      <SentNote sent={sent}>{note}</SentNote>
      <TextField
        label="Code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        maxLength={10}
        required
      />
      {form.problem !== null && <Notice>{form.problem.text}</Notice>}
      <div className="form-actions">
        <Button type="submit" busy={form.busy}>
          {submitLabel}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </form>
  )
}
