import type { HelpConversation } from '@slipway/sdk/client/types.gen.ts'
import { helpText as words } from '../../text/help.en.ts'
import { RelativeTime } from '../../ui/format/time.tsx'

/** The messages of a conversation with their screenshots, oldest first. `urlOf` returns the URL of a screenshot. */
export function Messages(props: { messages: HelpConversation['messages']; urlOf: (id: string) => string }) {
  const { messages, urlOf } = props
  return (
    <ol className="space-y-3">
      {messages.map(({ id, author, name, body, attachments, createdAt }) => (
        <li
          key={id}
          className={`space-y-2 rounded-xl p-4 ring-1 sm:p-5 ${author === 'operator' ? 'bg-tide-tint ring-tide-line' : 'bg-kumo-base ring-kumo-line'}`}
        >
          <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-kumo-subtle">
            <span className="font-medium text-kumo-strong">
              {author === 'operator' ? words.operator : (name ?? words.gone)}
            </span>
            <RelativeTime at={createdAt} />
          </p>
          <p className="break-words whitespace-pre-wrap">{body}</p>
          <ul className="flex flex-wrap gap-2 empty:hidden">
            {attachments.map((picture) => (
              <li key={picture.id}>
                <a href={urlOf(picture.id)} target="_blank" rel="noreferrer" className="block">
                  <img
                    src={urlOf(picture.id)}
                    alt={words.picture(picture.name)}
                    className="h-28 max-w-full rounded-lg bg-kumo-tint object-contain ring-1 ring-kumo-line"
                  />
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}
