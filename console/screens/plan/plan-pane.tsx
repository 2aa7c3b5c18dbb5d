import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useRef } from 'react'
import type { Thread } from '../../api/project/thread.ts'
import { DraftNote } from '../../shell/draft-note.tsx'
import { notify } from '../../shell/toasts/toasts.ts'
import { draftText } from '../../text/drafts.en.ts'
import { planText } from '../../text/plan.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { LiveRegion } from '../../ui/page/live-region.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Composer } from './composer/composer.tsx'
import { ComposerNote } from './composer/composer-note.tsx'
import { PlanStart } from './plan-start.tsx'
import { ReadmePanel } from './readme-panel.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import type { TurnView } from './turn/turn-follower.ts'
import { useFileDrop } from './attachments/use-file-drop.ts'
import { useMessage } from './composer/use-message.ts'
import { usePlan } from './turn/use-turn.ts'

const EXAMPLES = new Set([...planText.empty.examples, ...planText.empty.laterExamples])

export function PlanPane(props: { project: Project; hasReadme: boolean }) {
  const { project, hasReadme } = props
  const { thread, turn, isAwaiting } = usePlan(project.id)
  const message = useMessage(project.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const drop = useFileDrop(message.attachments.add)
  const hasRun = useRef(false)
  // Announce a reply to screen readers only when it ends while this page is open.
  if (turn) hasRun.current = true
  const isEmpty = thread.data?.messages.length === 0 && turn === null
  return (
    <div {...drop.handlers} className="relative flex min-h-0 flex-1 flex-col">
      {hasReadme && <ReadmePanel projectId={project.id} />}
      {thread.isPending && <ThreadSkeleton />}
      {thread.isError && !thread.data && (
        <div className="flex-1 p-4">
          <LoadFailure query={thread} />
        </div>
      )}
      {isEmpty && (
        <PlanStart
          projectId={project.id}
          onChoose={(example) => {
            const { text } = message
            message.write(example)
            if (text.trim() !== '' && !EXAMPLES.has(text)) {
              // What was typed into the example since then stays.
              const undo = () => box.current?.value === example && message.write(text)
              notify(draftText.discarded, { undo })
            }
            box.current?.focus()
          }}
        />
      )}
      {thread.data && !isEmpty && (
        <ThreadView
          key={project.id}
          projectId={project.id}
          thread={thread.data}
          turn={turn}
          isAwaiting={isAwaiting}
          onRetry={message.retry}
        />
      )}
      {/* A gradient, so that the text behind the composer fades out instead of being cut off. */}
      <div className="relative shrink-0 px-3 pt-1 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-5 before:bg-linear-to-t before:from-kumo-canvas">
        <div className="mx-auto max-w-3xl space-y-2">
          {message.error !== null && (
            <ComposerNote
              error={message.error}
              isRetry={message.isRetry}
              isBusy={turn !== null}
              onAgain={message.again}
              onWithout={message.sendWithout}
            />
          )}
          <DraftNote draft={message.draft} />
          <Composer projectId={project.id} message={message} turn={turn} ref={box} />
        </div>
      </div>
      {drop.isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-tide bg-tide-tint/95 font-medium text-kumo-strong">
          {planText.box.drop}
        </div>
      )}
      <LiveRegion
        sentence={hasRun.current ? announcementOf(turn, thread.data) : ''}
        isRunning={turn !== null}
      />
    </div>
  )
}

function announcementOf(turn: TurnView | null, thread: Thread | undefined): string {
  if (turn) {
    const written = turn.state.tickets.length
    return written === 0 ? planText.spoken.thinking : planText.spoken.tickets(written)
  }
  const last = thread?.messages.at(-1)
  if (last?.role !== 'agent') return ''
  return last.status === 'complete' ? planText.spoken.done(last.tickets.length) : planText.spoken[last.status]
}

function ThreadSkeleton() {
  return (
    <div className="min-h-0 flex-1">
      <Skeleton>
        <div className="mx-auto max-w-3xl space-y-5 px-4 py-5">
          <Bar className="ml-auto h-14! w-3/5" />
          <Bar className="w-4/5" />
          <Bar className="w-2/3" />
          <Bar className="ml-auto h-10! w-2/5" />
        </div>
      </Skeleton>
    </div>
  )
}
