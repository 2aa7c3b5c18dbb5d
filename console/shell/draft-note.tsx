import { text } from '../text/en.ts'
import { Button } from '../ui/controls/button.tsx'

/**
 * Says in a form that its text was restored, with a button that discards it. The parent element of this note has the fields of the
 * form.
 */
export function DraftNote({ draft }: { draft: { isRestored: boolean; discard: () => void } }) {
  if (!draft.isRestored) return null
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 text-[13px] text-kumo-subtle">
      {text.common.draft.back}
      <Button
        size="sm"
        variant="ghost"
        className="underline underline-offset-3"
        onClick={(event) => {
          // The button disappears, so move the focus to the first field.
          const form = event.currentTarget.closest('[role=status]')?.parentElement
          draft.discard()
          form?.querySelector<HTMLElement>('textarea, input:not([type=file])')?.focus()
        }}
      >
        {text.common.draft.discard}
      </Button>
    </div>
  )
}
