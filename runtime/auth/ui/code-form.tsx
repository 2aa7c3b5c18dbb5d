import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { withPlainDigits } from '../../ui/fields/number-text.ts'
import type { SentMessage } from '../types.ts'
import { SentNote } from './sent-note.tsx'
import { SmallForm } from './small-form.tsx'
import { useAction } from '../../web/use-action.ts'

interface CodeFormProps {
  sent: SentMessage
  note: string
  submitLabel: string
  onCode: (code: string) => Promise<unknown>
  onBack: () => void
}

export function CodeForm({ sent, note, submitLabel, onCode, onBack }: CodeFormProps) {
  const [code, setCode] = useState('')
  const form = useAction(() => onCode(withPlainDigits(code)))
  return (
    <SmallForm
      form={form}
      fields={[]}
      submitLabel={submitLabel}
      actions={<Button onClick={onBack}>Back</Button>}
    >
      <SentNote sent={sent}>{note}</SentNote>
      <TextField
        label="Code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        maxLength={10}
        required
      />
    </SmallForm>
  )
}
