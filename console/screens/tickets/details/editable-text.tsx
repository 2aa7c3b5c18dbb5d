import { PencilSimpleIcon } from '@phosphor-icons/react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { readDraft, storeDraft } from '../../../shell/drafts.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'

export interface EditableTextProps {
  label: string
  value: string
  maxLength: number
  multiline?: boolean
  /** The key of the draft that keeps the input until it is saved. */
  draft: { kind: string; id: string }
  /** Whether to start as a field, because a shortcut asked to edit the text. */
  startsOpen?: boolean
  className?: string
  /** Resolves with whether the text was saved. A text that was refused is put back into the field. */
  onSave: (value: string) => Promise<boolean>
  children: ReactNode
}

/**
 * Text that becomes a field when its edit button, a pencil, is pressed. Ctrl+Enter saves, Escape discards with undo. When
 * another person has changed the text meanwhile, the first attempt to save only shows their text, and the
 * second one replaces it.
 */
export function EditableText(props: EditableTextProps) {
  const { kind, id } = props.draft
  const [draft, setDraft] = useState<string | null>(
    () => readDraft(kind, id) || (props.startsOpen ? props.value : null),
  )
  // The stored text when the draft was begun. A different text now means that another person changed it.
  const [base, setBase] = useState(() => readDraft(`${kind}-base`, id) || props.value)
  const [isNewer, setNewer] = useState(false)
  const wasOpen = useRef(false)
  const latest = useRef(draft)
  latest.current = draft
  const write = (next: string | null) => {
    setDraft(next)
    storeDraft(next ?? '', kind, id)
    storeDraft(next ? base : '', `${kind}-base`, id)
  }
  const open = () => {
    setDraft(props.value)
    setBase(props.value)
    setNewer(false)
  }
  useEffect(() => {
    wasOpen.current = draft !== null
  }, [draft])
  if (draft === null) return <TextDisplay {...props} takesFocus={wasOpen} onEdit={open} />
  const save = async () => {
    const next = draft.trim()
    if (next === props.value || (next === '' && !props.multiline)) return write(null)
    if (props.value !== base) {
      setBase(props.value)
      storeDraft(props.value, `${kind}-base`, id)
      return setNewer(true)
    }
    setDraft(null)
    const isSaved = await props.onSave(next)
    // The user opened the field again during the request, so what is typed there now is newer than this response.
    if (latest.current !== null) return
    if (isSaved) write(null)
    else setDraft(next)
  }
  const discard = () => {
    const undo = () => {
      // Keep text that was typed after the field was opened again, because it is newer than the discarded text.
      if (latest.current === null || latest.current === props.value) write(draft)
    }
    if (draft.trim() !== props.value) notify(ticketsText.details.discarded(props.label), { undo })
    write(null)
  }
  return (
    <TextEditor
      {...props}
      text={draft}
      isNewer={isNewer}
      onWrite={write}
      onCancel={discard}
      onDone={() => void save()}
    />
  )
}

function TextEditor(
  props: EditableTextProps & {
    text: string
    isNewer: boolean
    onWrite: (text: string) => void
    onCancel: () => void
    onDone: () => void
  },
) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return props.onCancel()
    }
    const sends = event.key === 'Enter' && (!props.multiline || event.ctrlKey || event.metaKey)
    if (!sends || event.nativeEvent.isComposing) return
    event.preventDefault()
    props.onDone()
  }
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        props.onDone()
      }}
    >
      <textarea
        // Focus the field once, because the pencil was pressed in order to type.
        ref={(field) => {
          if (!field || field.dataset['met']) return
          field.dataset['met'] = ''
          field.focus()
          field.setSelectionRange(field.value.length, field.value.length)
        }}
        aria-label={props.label}
        value={props.text}
        maxLength={props.maxLength}
        rows={props.multiline ? 6 : 1}
        onChange={(event) => props.onWrite(event.target.value)}
        onKeyDown={onKeyDown}
        className={`block max-h-[60dvh] w-full resize-y rounded-lg bg-kumo-control px-3 py-2 ring-1 ring-kumo-line outline-none [field-sizing:content] focus:ring-2 focus:ring-kumo-focus ${props.className ?? ''}`}
      />
      {props.isNewer && (
        <div role="alert" className="rounded-lg bg-kumo-warning-tint px-3 py-2 text-[13px] font-normal">
          <p className="font-medium">{ticketsText.details.changedSince}</p>
          <div className="mt-1 break-words">{props.children}</div>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" variant="primary">
          {text.common.save}
        </Button>
        <Button type="button" size="sm" variant="ghost" onClick={props.onCancel}>
          {text.common.cancel}
        </Button>
        {props.multiline && <p className="text-xs text-kumo-subtle">{ticketsText.details.draftKept}</p>}
      </div>
    </form>
  )
}

function TextDisplay(props: EditableTextProps & { takesFocus: RefObject<boolean>; onEdit: () => void }) {
  const pencil = useRef<HTMLButtonElement>(null)
  const { takesFocus } = props
  useEffect(() => {
    // When the field closes, the focus returns to the pencil.
    if (takesFocus.current) pencil.current?.focus()
  }, [takesFocus])
  return (
    <div className="flex items-start gap-1.5">
      <div className={`min-w-0 flex-1 break-words ${props.className ?? ''}`}>{props.children}</div>
      <IconButton
        ref={pencil}
        label={`${text.common.edit}: ${props.label}`}
        icon={<PencilSimpleIcon />}
        onClick={props.onEdit}
      />
    </div>
  )
}
