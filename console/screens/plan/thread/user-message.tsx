import { useRef, useState } from 'react'
import { attachmentUrl } from '../../../api/uploads/attachments.ts'
import { planText } from '../../../text/plan.en.ts'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Thumbnail } from '../attachments/thumbnail.tsx'

/** A longer message is collapsed, so that a pasted document does not fill the conversation. */
const COLLAPSED_ABOVE_CHARS = 1200

interface UserMessageProps {
  projectId: string
  text: string
  attachments: string[]
  /** The time of the message. Null until the thread contains it. */
  at: string | null
  isSending?: boolean
}

export function UserMessage({ projectId, text, attachments, at, isSending = false }: UserMessageProps) {
  const [isWhole, setWhole] = useState(text.length <= COLLAPSED_ABOVE_CHARS)
  const words = useRef<HTMLParagraphElement>(null)
  return (
    <article aria-label={planText.you} className="ml-auto flex w-fit max-w-[88%] flex-col items-end gap-1">
      <div
        className={`min-w-0 max-w-full rounded-2xl rounded-br-md bg-tide-tint px-3.5 py-2.5 ring-1 ring-tide-line ${isSending ? 'opacity-70' : ''}`}
      >
        <p
          ref={words}
          tabIndex={-1}
          className={`rounded-sm leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap ${isWhole ? '' : 'line-clamp-8'}`}
        >
          {text}
        </p>
        {!isWhole && (
          <button
            type="button"
            onClick={() => {
              setWhole(true)
              // The pressed button disappears. The reader continues where the text was cut off, so do not scroll to its start.
              words.current?.focus({ preventScroll: true })
            }}
            className="mt-1 min-h-6 cursor-pointer rounded-sm text-[13px] text-kumo-link underline underline-offset-3"
          >
            {planText.showAll}
          </button>
        )}
        {attachments.length > 0 && (
          <ul aria-label={planText.files.list} className="mt-2 flex flex-wrap gap-2">
            {attachments.map((key, index) => (
              <li key={key}>
                <a
                  href={attachmentUrl(projectId, key)}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={planText.files.one(index + 1, attachments.length)}
                  className="block rounded-lg"
                >
                  <Thumbnail projectId={projectId} attachment={key} className="size-20" />
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      {at !== null && (
        <p className="px-1 text-xs text-kumo-subtle">
          <RelativeTime at={at} />
        </p>
      )}
    </article>
  )
}
