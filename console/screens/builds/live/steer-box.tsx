import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { steerBuild } from '../../../api/project/builds.ts'
import { DraftNote } from '../../../shell/draft-note.tsx'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { steerText } from '../../../text/builds.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { SentenceBox } from '../../../ui/controls/sentence-box.tsx'

/** Sends messages to the running build. An unsent message survives the end of the build and a reload. */
export const SteerBox = memo(function SteerBox(props: { projectId: string; ticketId: string }) {
  const { projectId, ticketId } = props
  const draft = useDraftText('steer', ticketId)
  const { text, write } = draft
  const steer = useMutation({
    mutationFn: (sentence: string) => steerBuild(projectId, ticketId, sentence),
    // Keep text that was typed while the message was being sent.
    onSuccess: (_result, sent) => {
      if (text.trim() === sent) write('')
    },
  })
  return (
    <div className="shrink-0 space-y-1.5 border-t border-kumo-line bg-kumo-base p-2.5">
      {steer.isError && <FailureNote title={steerText.failed} error={steer.error} />}
      <DraftNote draft={draft} />
      <SentenceBox
        size="sm"
        label={steerText.label}
        placeholder={steerText.placeholder}
        submit={steerText.submit}
        value={text}
        busy={steer.isPending}
        onChange={write}
        onSubmit={() => steer.mutate(text.trim())}
      />
      <p className="px-1 text-xs text-kumo-subtle">
        {steer.data?.delivery === 'next_build' ? steerText.nextBuild : steerText.when}
      </p>
    </div>
  )
})
