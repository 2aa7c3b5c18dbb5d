import { draftText } from '../text/drafts.en.ts'
import { Button } from '../ui/controls/button.tsx'
import { notify } from './toasts/toasts.ts'

interface RestoredDraft {
  isRestored: boolean
  /** Discards the restored text. Returns the function that undoes this. */
  discard: () => () => void
}

/** Says in a form that its text was restored, with a button that discards the text and offers an undo. */
export function DraftNote({ draft }: { draft: RestoredDraft }) {
  if (!draft.isRestored) return null
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 text-[13px] text-kumo-subtle">
      {draftText.back}
      <Button
        size="sm"
        variant="ghost"
        className="underline underline-offset-3"
        onClick={(event) => {
          // The button disappears, so move the focus to the field beside it.
          const field = nearestField(event.currentTarget)
          notify(draftText.discarded, { undo: draft.discard() })
          field?.focus()
        }}
      >
        {draftText.discard}
      </Button>
    </div>
  )
}

/** Returns the first text field of the innermost element around `part` that has one. */
function nearestField(part: HTMLElement): HTMLElement | null {
  const field = part.querySelector<HTMLElement>('textarea, input:not([type=file])')
  return field ?? (part.parentElement && nearestField(part.parentElement))
}
