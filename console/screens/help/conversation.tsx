import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { conversationQuery, pictureUrl } from '../../api/organization/help.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { helpText as words } from '../../text/help.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Messages } from './messages.tsx'
import { ReplyForm } from './reply-form.tsx'
import { StateLabel } from './state-label.tsx'

/** One conversation with the operator. */
export function Conversation() {
  const { threadId } = useParams({ from: '/app/help/$threadId' })
  const thread = useQuery(conversationQuery(threadId))
  usePageTitle(thread.data?.subject ?? words.title)
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <a href={href.help()} className="text-[13px] text-kumo-link underline underline-offset-3">
        {words.back}
      </a>
      {thread.isPending && (
        <Skeleton>
          <Bar className="h-24 w-full rounded-xl" />
        </Skeleton>
      )}
      {thread.isError && !thread.data && (
        <FailureNote title={text.failure.title} error={thread.error} onRetry={() => void thread.refetch()} />
      )}
      {thread.data && (
        <>
          <div className="space-y-1">
            <PageHeading className="break-words">{thread.data.subject}</PageHeading>
            <p className="flex flex-wrap items-center gap-2 text-[13px] text-kumo-subtle">
              <StateLabel state={thread.data.state} />
              {thread.data.projectName !== null && words.about(thread.data.projectName)}
            </p>
          </div>
          <Messages messages={thread.data.messages} urlOf={pictureUrl} />
          <ReplyForm key={thread.data.id} thread={thread.data} />
        </>
      )}
    </div>
  )
}
