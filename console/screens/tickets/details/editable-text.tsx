import { PencilSimpleIcon } from '@phosphor-icons/react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { DraftNote } from '../../../shell/draft-note.tsx'
import { openDraft } from '../../../shell/drafts.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { isComposing } from '../../../ui/browser/composing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'

export interface EditableTextProps {
  label: string
  value: string
  /**
   * Leave this out where the service refuses a text that is too long. With a limit the browser would truncate a pasted text without notice.
   */
  maxLength?: number
  multiline?: boolean
  /** The key of the draft that keeps the input until it is saved. */
  draft: { kind: string; id: string }
  /** Whether to start as a field, because a shortcut asked to edit the text. */
  startsOpen?: boolean
  className?: string
  /** Resolves with whether the text was saved. A refused text is put back into the field. */
  onSave: (value: string) => Promise<boolean>
  children: ReactNode
}

/**
 * Text that becomes a field when its edit button, a pencil, is pressed. Ctrl+Enter saves, Escape discards with undo. When another person
 * has changed the text meanwhile, the field shows the changed text, and the next save replaces it. A restored draft shows the changed text
 * at once, any other edit at the first attempt to save.
 */
export function EditableText(props: EditableTextProps) {
  const [stored] = useState(() => openStored(props))
  const [draft, setDraft] = useState<string | null>(
    () => stored.text || (props.startsOpen ? props.value : null),
  )
  const [isRestored, setRestored] = useState(stored.text !== '')
  // The stored text when the draft was begun. A different text now means that another person changed it.
  const [base, setBase] = useState(stored.base)
  const [isNewer, setNewer] = useState(isRestored && base !== props.value)
  const wasOpen = useRef(false)
  const latest = useRef(draft)
  latest.current = draft
  const write = (next: string | null) => {
    setDraft(next)
    stored.keep(next ?? '', base)
  }
  const open = () => {
    setDraft(props.value)
    setBase(props.value)
    setNewer(false)
    setRestored(false)
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
      stored.keep(draft, props.value)
      return setNewer(true)
    }
    setDraft(null)
    const isSaved = await props.onSave(next)
    // The user opened the field again during the request, so the text typed there is newer than this response.
    if (latest.current !== null) return
    if (isSaved) write(null)
    else setDraft(next)
  }
  const discard = () => {
    write(null)
    return () => {
      // Keep text that was typed after the field was opened again, because it is newer than the discarded text.
      if (latest.current === null || latest.current === props.value) write(draft)
    }
  }
  const cancel = () => {
    const undo = discard()
    if (draft.trim() !== props.value) notify(ticketsText.details.discarded(props.label), { undo })
  }
  return (
    <TextEditor
      {...props}
      text={draft}
      isNewer={isNewer}
      restored={{ isRestored, discard }}
      onWrite={write}
      onCancel={cancel}
      onDone={() => void save()}
    />
  )
}

/**
 * Reads the draft and the text on which it was based. Ignores a draft that equals the stored text, because it was saved before the page got
 * the response.
 */
function openStored({ draft: { kind, id }, value }: EditableTextProps) {
  const [draft, base] = [openDraft(kind, id), openDraft(`${kind}-base`, id)]
  const keep = (text: string, basedOn: string) => {
    draft.store(text)
    base.store(text === '' ? '' : basedOn)
  }
  const stored = { text: draft.read(), base: draft.read() === '' ? value : base.read(), keep }
  if (stored.text.trim() !== value) return stored
  keep('', value)
  return { text: '', base: value, keep }
}

function TextEditor(
  props: EditableTextProps & {
    text: string
    isNewer: boolean
    restored: ComponentProps<typeof DraftNote>['draft']
    onWrite: (text: string) => void
    onCancel: () => void
    onDone: () => void
  },
) {
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Escape and Enter end the composition.
    if (isComposing(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      return props.onCancel()
    }
    const sends = event.key === 'Enter' && (!props.multiline || event.ctrlKey || event.metaKey)
    if (!sends) return
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
      <DraftNote draft={props.restored} />
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
