import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { conversationQuery, pictureUrl } from '../../api/organization/help.ts'
import { href } from '../../routes.ts'
import { helpText as words } from '../../text/help.en.ts'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Messages } from './messages.tsx'
import { ReplyForm } from './reply-form.tsx'
import { StateLabel } from './state-label.tsx'
import { ThreadPage } from './thread-page.tsx'

export function Conversation() {
  const { threadId } = useParams({ from: '/app/help/$threadId' })
  const thread = useQuery(conversationQuery(threadId))
  usePageTitle(thread.data?.subject ?? words.title)
  return (
    <ThreadPage back={href.help()} title={words.title} thread={thread}>
      {({ id, subject, state, projectName, messages }) => (
        <>
          <div className="space-y-1">
            <PageHeading className="break-words">{subject}</PageHeading>
            <p className="flex flex-wrap items-center gap-2 text-[13px] text-kumo-subtle">
              <StateLabel state={state} />
              {projectName !== null && words.about(projectName)}
            </p>
          </div>
          <Messages messages={messages} urlOf={pictureUrl} />
          <ReplyForm key={id} thread={{ id, state }} />
        </>
      )}
    </ThreadPage>
  )
}
