import { ArrowUpIcon } from '@phosphor-icons/react'
import { type RefObject, useId, useState } from 'react'
import { planText } from '../../../text/plan.en.ts'
import { isComposing } from '../../../ui/browser/composing.ts'
import { pastedFiles } from '../../../ui/browser/pasted-files.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { AttachmentTray } from '../attachments/attachment-tray.tsx'
import { FilePicker } from '../attachments/file-picker.tsx'
import { StopButton } from './stop-button.tsx'
import type { TurnView } from '../turn/turn-follower.ts'
import type { Message } from './use-message.ts'

export function Composer(props: {
  projectId: string
  message: Message
  turn: TurnView | null
  ref: RefObject<HTMLTextAreaElement | null>
}) {
  const { projectId, message, turn } = props
  const id = useId()
  const isAnswering = turn !== null && turn.phase !== 'sending'
  const { reason } = message
  // Enter submits even while the button is disabled. After such an attempt the hint shows why nothing was
  // sent.
  const [tried, setTried] = useState(false)
  const submit = () => {
    if (reason !== null) setTried(true)
    else if (turn === null) message.send()
  }
  const isRefused = tried && reason !== null && turn === null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="rounded-2xl bg-kumo-control ring-1 ring-kumo-line transition-shadow focus-within:ring-2 focus-within:ring-kumo-focus"
    >
      <AttachmentTray
        projectId={projectId}
        attachments={message.attachments}
        unreadable={message.unreadable}
        leaving={turn?.phase === 'sending' ? (turn.said?.attachments ?? []) : []}
      />
      <label htmlFor={id} className="sr-only">
        {planText.box.label}
      </label>
      <textarea
        id={id}
        ref={props.ref}
        rows={1}
        value={message.text}
        placeholder={planText.box.placeholder}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setTried(false)
          message.write(event.target.value)
        }}
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData)
          if (files.length === 0) return
          event.preventDefault()
          message.attachments.add(files)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
          event.preventDefault()
          submit()
        }}
        className="block max-h-[min(18rem,35dvh)] min-h-16 w-full resize-none [field-sizing:content] bg-transparent px-4 pt-3 pb-1 leading-relaxed text-kumo-default outline-none placeholder:text-kumo-placeholder"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <FilePicker label={planText.box.attach} onFiles={message.attachments.add} />
        <p
          id={`${id}-hint`}
          role="status"
          className={`mr-auto min-w-0 text-xs text-kumo-subtle ${isRefused ? '' : 'truncate pointer-coarse:invisible'}`}
        >
          {isRefused ? reason : planText.box.hint}
        </p>
        {isAnswering ? (
          <StopButton projectId={projectId} onFocusLost={() => props.ref.current?.focus()} />
        ) : (
          <ReasonButton
            type="submit"
            variant="primary"
            icon={<ArrowUpIcon weight="bold" />}
            loading={message.isSending}
            reason={message.isSending ? null : reason}
          >
            {planText.box.send}
          </ReasonButton>
        )}
      </div>
    </form>
  )
}
