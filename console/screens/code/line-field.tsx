import { useState } from 'react'
import { codeText as words } from '../../text/code.en.ts'

/** A field to jump to a line by its number. With the keyboard it replaces a click on a line number. */
export function LineField({ onLine }: { onLine: (line: number, stretch: boolean) => void }) {
  const [value, setValue] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const line = Number(value)
        if (line >= 1) onLine(line, false)
        setValue('')
      }}
    >
      <input
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        aria-label={words.line}
        placeholder={words.lineShort}
        onChange={(event) => setValue(event.target.value.replaceAll(/\D/g, ''))}
        className="h-[26px] w-16 rounded-md bg-kumo-control px-2 text-[13px] ring-1 ring-kumo-line outline-none placeholder:text-kumo-placeholder focus:ring-2 focus:ring-kumo-focus"
      />
    </form>
  )
}
