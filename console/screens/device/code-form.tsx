import { useState } from 'react'
import { deviceText } from '../../text/device.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { readCode } from './code.ts'

/** A form for the code that a device displays. Accepts lower-case letters, spaces and dashes. */
export function DeviceCodeForm(props: { submit: string; onCode: (code: string) => void }) {
  const [isIncomplete, setIncomplete] = useState(false)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('code') as HTMLInputElement
    const code = readCode(field.value)
    setIncomplete(code === null)
    if (code === null) field.focus()
    else props.onCode(code)
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <TextField
        name="code"
        size="lg"
        label={deviceText.code}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-mono text-lg tracking-[0.15em] uppercase"
        {...(isIncomplete ? { error: deviceText.codeMissing } : { description: deviceText.codeHint })}
      />
      <Button type="submit" variant="primary" size="lg" className="w-full justify-center">
        {props.submit}
      </Button>
    </form>
  )
}
