import { useMutation } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { steerBuild } from '../../../api/project/builds.ts'
import { readDraft, storeDraft } from '../../../shell/drafts.ts'
import { steerText } from '../../../text/builds.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { SentenceBox } from '../../../ui/controls/sentence-box.tsx'

const DRAFT_NAME = 'steer'

/** Sends messages to the running build. An unsent message survives the end of the build and a reload. */
export const SteerBox = memo(function SteerBox(props: { projectId: string; ticketId: string }) {
  const { projectId, ticketId } = props
  const [words, setWords] = useState(() => readDraft(DRAFT_NAME, ticketId))
  const write = (next: string) => {
    setWords(next)
    storeDraft(next, DRAFT_NAME, ticketId)
  }
  const steer = useMutation({
    mutationFn: (sentence: string) => steerBuild(projectId, ticketId, sentence),
    // Keep text that was typed while the message was being sent.
    onSuccess: (_result, sent) => {
      if (words.trim() === sent) write('')
    },
  })
  return (
    <div className="shrink-0 space-y-1.5 border-t border-kumo-line bg-kumo-base p-2.5">
      {steer.isError && <FailureNote title={steerText.failed} error={steer.error} />}
      <SentenceBox
        size="sm"
        label={steerText.label}
        placeholder={steerText.placeholder}
        submit={steerText.submit}
        value={words}
        busy={steer.isPending}
        onChange={write}
        onSubmit={() => steer.mutate(words.trim())}
      />
      <p className="px-1 text-xs text-kumo-subtle">
        {steer.data?.delivery === 'next_build' ? steerText.nextBuild : steerText.when}
      </p>
    </div>
  )
})
