import { LifebuoyIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { helpQuery } from '../../api/organization/help.ts'
import { href } from '../../routes.ts'
import { layer } from '../../shell/layer.ts'
import { text } from '../../text/en.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { RelativeTime } from '../../ui/words/time.tsx'
import { StateLabel } from './state-label.tsx'

/** The organization's conversations with the operator. */
export function Help() {
  usePageTitle(words.title)
  const threads = useQuery(helpQuery())
  const ask = (
    <Button variant="primary" onClick={() => layer.show('help')}>
      {words.ask}
    </Button>
  )
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="space-y-1">
          <PageHeading>{words.title}</PageHeading>
          <p className="text-kumo-subtle">{words.lead}</p>
        </div>
        {threads.data && threads.data.length > 0 && ask}
      </div>
      {threads.isPending && (
        <Skeleton>
          <Bar className="h-16 w-full rounded-xl" />
        </Skeleton>
      )}
      {threads.isError && !threads.data && (
        <FailureNote
          title={text.failure.title}
          error={threads.error}
          onRetry={() => void threads.refetch()}
        />
      )}
      {threads.data?.length === 0 && (
        <EmptyNote icon={<LifebuoyIcon />} title={words.none} hint={words.noneHint} action={ask} />
      )}
      {threads.data && threads.data.length > 0 && (
        <ul className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {threads.data.map((thread) => (
            <li key={thread.id} className="px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <a
                  href={href.helpThread(thread.id)}
                  className="min-w-0 font-medium break-words text-kumo-strong hover:underline"
                >
                  {thread.subject}
                </a>
                <StateLabel state={thread.state} />
              </div>
              <p className="text-[13px] text-kumo-subtle">
                {thread.projectName !== null && `${words.about(thread.projectName)} · `}
                <RelativeTime at={thread.lastActiveAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
