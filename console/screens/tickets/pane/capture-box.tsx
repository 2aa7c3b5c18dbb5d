import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useRef } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../../routes.ts'
import { DraftNote } from '../../../shell/draft-note.tsx'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { text } from '../../../text/en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { SegmentedChoice } from '../../../ui/controls/segmented-choice.tsx'
import { SentenceBox } from '../../../ui/controls/sentence-box.tsx'
import { useBuildTicket } from '../../builds/start/use-build-action.ts'
import { useCapture } from '../list/use-capture.ts'
import { useCaptureField } from './use-capture-field.ts'
import { useCaptureMode, CAPTURE_MODES } from './use-capture-mode.ts'

/**
 * The field for a new ticket's sentence. Enter captures the sentence as a ticket and, if chosen below, builds it. The field is cleared at
 * once.
 */
export function CaptureBox({
  projectId,
  onCaptured,
}: {
  projectId: string
  onCaptured: (ticket: Ticket) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  useShortcut('newTicket', () => field.current?.focus())
  const sentence = useCaptureField(projectId)
  const [mode, setMode] = useCaptureMode()
  // The mode that was chosen when each sentence was sent. The user may choose another mode for the next sentence during the request.
  const modes = useRef(new Map<string, typeof mode>())
  const { build } = useBuildTicket(projectId)
  const capture = useCapture(projectId, {
    onCaptured: (ticket, captured) => {
      onCaptured(ticket)
      if (modes.current.get(captured) === 'build') build(ticket)
    },
    lockName: sentence.lockName,
    onSettled: sentence.settle,
  })
  const modelMissing = capture.error instanceof SlipwayError && capture.error.code === 'model_required'
  return (
    <div className="space-y-2">
      {capture.isError && (
        <FailureNote
          title={modelMissing ? workText.tickets.modelMissing : workText.tickets.captureFailed}
          error={capture.error}
        />
      )}
      {modelMissing && (
        <a href={href.models()} className="block text-sm text-kumo-link underline underline-offset-3">
          {text.nav.models}
        </a>
      )}
      <DraftNote draft={sentence} />
      <SentenceBox
        ref={field}
        size="sm"
        label={workText.tickets.label}
        placeholder={workText.tickets.placeholder}
        submit={workText.tickets.wish.submit[mode]}
        value={sentence.text}
        onChange={sentence.write}
        onSubmit={() => {
          const sentSentence = sentence.send()
          modes.current.set(sentSentence.text, mode)
          capture.mutate(sentSentence)
        }}
      />
      <SegmentedChoice
        label={workText.tickets.wish.label}
        value={mode}
        options={CAPTURE_MODES.map((value) => ({ value, label: workText.tickets.wish.choice[value] }))}
        onChange={setMode}
      />
    </div>
  )
}
