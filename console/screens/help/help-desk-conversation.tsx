import type { DeskConversation as Asked } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  answerFromDesk,
  closeFromDesk,
  deskConversationQuery,
  deskPictureUrl,
} from '../../api/organization/help-desk.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { href } from '../../routes.ts'
import { helpDeskText as words } from '../../text/help-desk.en.ts'
import { helpText } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Messages } from './messages.tsx'
import { MessageForm } from './reply-form.tsx'
import { StateLabel } from './state-label.tsx'
import { ThreadPage } from './thread-page.tsx'

export function HelpDeskConversation() {
  const { threadId } = useParams({ from: '/app/desk/$threadId' })
  const thread = useQuery(deskConversationQuery(threadId))
  usePageTitle(thread.data?.subject ?? words.title)
  return (
    <ThreadPage back={href.desk()} title={words.title} thread={thread}>
      {(asked) => <AnswerForm key={asked.id} thread={asked} />}
    </ThreadPage>
  )
}

function AnswerForm({ thread }: { thread: Asked }) {
  const client = useQueryClient()
  const { organization, plan, projectName } = thread
  const cacheThread = (next: Asked) => {
    client.setQueryData(deskConversationQuery(thread.id).queryKey, next)
    return client.invalidateQueries({ queryKey: queryKeys.desk.lists })
  }
  const close = useMutation({ mutationFn: () => closeFromDesk(thread.id), onSuccess: cacheThread })
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 space-y-1">
          <PageHeading className="break-words">{thread.subject}</PageHeading>
          <p className="flex flex-wrap items-center gap-2 text-[13px] text-kumo-subtle">
            <StateLabel state={thread.state} />
            {words.from(organization.name, plan)}
            {projectName !== null && ` · ${helpText.about(projectName)}`}
          </p>
        </div>
        {thread.state !== 'closed' && (
          <Button size="sm" loading={close.isPending} onClick={() => close.mutate()}>
            {words.close}
          </Button>
        )}
      </div>
      {close.isError && <FailureNote title={words.notClosed} error={close.error} takeFocus />}
      {thread.console !== null && (
        <details className="rounded-xl bg-kumo-base p-4 text-[13px] ring-1 ring-kumo-line">
          <summary className="cursor-pointer text-kumo-default">{words.said}</summary>
          <pre className="mt-3 overflow-x-auto whitespace-pre-wrap break-words text-kumo-subtle">
            {JSON.stringify(thread.console, null, 2)}
          </pre>
        </details>
      )}
      <Messages messages={thread.messages} urlOf={deskPictureUrl} />
      <MessageForm
        draft={thread.id}
        label={words.answer}
        hint={words.mailed}
        send={(message) => answerFromDesk(thread.id, message)}
        onSent={cacheThread}
      />
    </>
  )
}
