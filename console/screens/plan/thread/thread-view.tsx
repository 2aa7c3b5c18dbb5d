import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { readOlder } from '../../../api/project/plan.ts'
import type { Thread } from '../../../api/project/thread.ts'
import { planText } from '../../../text/plan.en.ts'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { FollowingScroll } from '../../../ui/lists/following-scroll.tsx'
import { LiveReply, Reply } from './reply.tsx'
import { UserMessage } from './user-message.tsx'
import type { TurnView } from '../turn/turn-follower.ts'

/** The conversation with the newest message at the bottom. Scrolling up loads earlier pages. */
export function ThreadView(props: {
  projectId: string
  thread: Thread
  turn: TurnView | null
  isAwaiting: boolean
  onRetry: () => void
}) {
  const { projectId, thread, turn, isAwaiting } = props
  const { messages } = thread
  const older = useMutation({ mutationFn: () => readOlder(projectId) })
  const newest = messages.at(-1)
  return (
    <FollowingScroll label={planText.log} firstKey={messages[0]?.id}>
      <div className="mx-auto max-w-3xl px-4 py-5">
        {thread.older !== null && (
          <div className="pb-5">
            <LoadMore isLoading={older.isPending} error={older.error} onMore={() => older.mutate()} />
          </div>
        )}
        <div role="log" aria-live="off" aria-label={planText.log}>
          <ol className="space-y-6">
            {messages.map((message) => (
              <Message
                key={message.id}
                projectId={projectId}
                message={message}
                isLast={message === newest}
                onRetry={message === newest && turn === null ? props.onRetry : null}
              />
            ))}
            {turn?.said && !isAwaiting && (
              <li>
                <UserMessage
                  projectId={projectId}
                  {...turn.said}
                  at={null}
                  isSending={turn.phase === 'sending'}
                />
              </li>
            )}
            {turn && turn.phase !== 'sending' && (
              <li>
                <LiveReply projectId={projectId} view={turn} />
              </li>
            )}
          </ol>
        </div>
      </div>
    </FollowingScroll>
  )
}

/** Memoized, so that earlier messages do not render again while a reply grows. */
const Message = memo(function Message(props: {
  projectId: string
  message: PlanMessage
  isLast: boolean
  onRetry: (() => void) | null
}) {
  const { projectId, message } = props
  return (
    <li>
      {message.role === 'user' ? (
        <UserMessage
          projectId={projectId}
          text={message.text}
          attachments={message.attachments}
          at={message.createdAt}
        />
      ) : (
        <Reply {...props} />
      )}
    </li>
  )
})
