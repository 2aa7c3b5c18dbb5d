import { Button } from '@cloudflare/kumo/components/button'
import { BookOpenTextIcon } from '@phosphor-icons/react'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { type DragEvent, useId, useRef, useState } from 'react'
import type { Thread } from '../../api/thread.ts'
import { text } from '../../text/en.ts'
import { planText } from '../../text/plan.en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { PoliteLine } from '../../ui/polite-line.tsx'
import { Bar, Skeleton } from '../../ui/skeleton.tsx'
import { StateDot } from '../../ui/state-dot.tsx'
import { Composer } from './composer.tsx'
import { ComposerNote } from './composer-note.tsx'
import { PlanStart } from './plan-start.tsx'
import { ReadmePanel } from './readme-panel.tsx'
import { ThreadView } from './thread-view.tsx'
import type { TurnView } from './turn-follower.ts'
import { useMessage } from './use-message.ts'
import { usePlan } from './use-turn.ts'

/** The conversation with the Plan agent, which turns what is wanted into tickets. */
export function PlanPane({ project, isNew }: { project: Project; isNew: boolean }) {
  const { thread, turn, isAwaiting } = usePlan(project.id)
  const message = useMessage(project.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const [hasReadme, setReadme] = useState(false)
  const readmeId = useId()
  const drop = useDrop(message.attachments.add)
  const isEmpty = thread.data?.messages.length === 0 && turn === null
  return (
    <div {...drop.handlers} className="relative flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-11 shrink-0 items-center gap-3 border-b border-kumo-line bg-kumo-base px-4 py-1.5 text-[13px]">
        <span className="text-kumo-subtle">
          {turn ? (
            <StateDot tone="busy">{planText.answering}</StateDot>
          ) : (
            thread.data && thread.data.total > 0 && planText.messages(thread.data.total)
          )}
        </span>
        <Button
          size="sm"
          variant="ghost"
          className="ml-auto"
          icon={<BookOpenTextIcon />}
          aria-expanded={hasReadme}
          aria-controls={readmeId}
          onClick={() => setReadme(!hasReadme)}
        >
          {planText.readme.show}
        </Button>
      </div>
      {hasReadme && <ReadmePanel projectId={project.id} id={readmeId} />}
      {thread.isPending && <ThreadSkeleton />}
      {thread.isError && !thread.data && (
        <div className="flex-1 p-4">
          <FailureNote
            title={text.failure.title}
            error={thread.error}
            onRetry={() => void thread.refetch()}
          />
        </div>
      )}
      {isEmpty && (
        <PlanStart
          isNew={isNew}
          onChoose={(example) => {
            message.write(example)
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
      <div className="shrink-0 px-3 pb-3">
        <div className="mx-auto max-w-3xl space-y-2">
          {message.error !== null && (
            <ComposerNote
              error={message.error}
              isRetry={message.isRetry}
              isBusy={turn !== null}
              canDrop={message.text.trim() !== ''}
              onAgain={message.again}
              onWithout={message.sendWithout}
            />
          )}
          <Composer projectId={project.id} message={message} turn={turn} ref={box} />
        </div>
      </div>
      {drop.isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-tide bg-tide-tint/95 font-medium text-kumo-strong">
          {planText.box.drop}
        </div>
      )}
      <PoliteLine sentence={sentenceOf(turn, thread.data)} isRunning={turn !== null} />
    </div>
  )
}

/** Files may be dropped anywhere on the pane. */
function useDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, handlers }
}

function sentenceOf(turn: TurnView | null, thread: Thread | undefined): string {
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
