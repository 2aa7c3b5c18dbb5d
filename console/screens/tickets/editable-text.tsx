import { PencilSimpleIcon } from '@phosphor-icons/react'
import { Button } from '@cloudflare/kumo/components/button'
import { useState } from 'react'
import { text } from '../../text/en.ts'

export interface EditableTextProps {
  label: string
  value: string
  maxLength: number
  multiline?: boolean
  /** Shown while there is no text. */
  empty?: string
  className?: string
  onSave: (value: string) => void
}

/** Text that becomes a field when its pencil is pressed. Control + Enter saves, Escape goes back. */
export function EditableText(props: EditableTextProps) {
  const [draft, setDraft] = useState<string | null>(null)
  if (draft === null) return <Reading {...props} onEdit={() => setDraft(props.value)} />
  const save = () => {
    const next = draft.trim()
    const allowed = next !== '' || props.multiline
    if (allowed && next !== props.value) props.onSave(next)
    setDraft(null)
  }
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <textarea
        // The pencil was pressed to type here.
        ref={(field) => {
          if (field && document.activeElement !== field) field.focus()
        }}
        aria-label={props.label}
        value={draft}
        maxLength={props.maxLength}
        rows={props.multiline ? 6 : 1}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
          const sends = event.key === 'Enter' && (!props.multiline || event.ctrlKey || event.metaKey)
          if (!sends) return
          event.preventDefault()
          save()
        }}
        className={`block w-full resize-y rounded-lg bg-kumo-control px-3 py-2 ring-1 ring-kumo-line outline-none [field-sizing:content] focus:ring-2 focus:ring-kumo-focus ${props.className ?? ''}`}
      />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary">
          {text.common.save}
        </Button>
        <Button type="button" size="sm" variant="ghost" onClick={() => setDraft(null)}>
          {text.common.cancel}
        </Button>
      </div>
    </form>
  )
}

function Reading(props: EditableTextProps & { onEdit: () => void }) {
  return (
    <div className="flex items-start gap-1.5">
      <p
        className={`min-w-0 flex-1 break-words whitespace-pre-wrap ${props.value === '' ? 'text-kumo-subtle' : props.className}`}
      >
        {props.value === '' ? props.empty : props.value}
      </p>
      <Button
        size="sm"
        variant="ghost"
        shape="square"
        aria-label={`${text.common.edit}: ${props.label}`}
        icon={<PencilSimpleIcon />}
        onClick={props.onEdit}
      />
    </div>
  )
}
