import type { HelpThread } from '@slipway/sdk/client/types.gen.ts'
import { RelativeTime } from '../../ui/format/time.tsx'
import { StateLabel } from './state-label.tsx'

/** A list of conversations. `aboutOf` returns a note to show with the time of the last message, or null. */
export function ThreadList<Thread extends HelpThread>(props: {
  threads: readonly Thread[]
  hrefOf: (threadId: string) => string
  aboutOf: (thread: Thread) => string | null
}) {
  const { threads, hrefOf, aboutOf } = props
  return (
    <ul className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {threads.map((thread) => {
        const about = aboutOf(thread)
        return (
          <li key={thread.id} className="px-4 py-3 sm:px-5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <a
                href={hrefOf(thread.id)}
                className="min-w-0 font-medium break-words text-kumo-strong hover:underline"
              >
                {thread.subject}
              </a>
              <StateLabel state={thread.state} />
            </div>
            <p className="text-[13px] break-words text-kumo-subtle">
              {about !== null && `${about} · `}
              <RelativeTime at={thread.lastActiveAt} />
            </p>
          </li>
        )
      })}
    </ul>
  )
}
