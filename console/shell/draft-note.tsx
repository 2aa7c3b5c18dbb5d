import { text } from '../text/en.ts'
import { Button } from '../ui/controls/button.tsx'

interface ShownDraft {
  isRestored: boolean
  discard: () => void
  newer?: { name: string; stored: string }[]
}

/**
 * Says in a form that its text was restored, with a button that discards it, and what was saved elsewhere since the text was typed. The
 * parent element of this note has the fields of the form.
 */
export function DraftNote({ draft, labels = {} }: { draft: ShownDraft; labels?: Record<string, string> }) {
  const { isRestored, newer = [] } = draft
  return (
    <>
      {isRestored && (
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
      )}
      {newer.map(({ name, stored }) => (
        <div key={name} role="alert" className="rounded-lg bg-kumo-warning-tint px-3 py-2 text-[13px]">
          <p className="font-medium">{text.common.draft.newer(labels[name] ?? name)}</p>
          <p className="mt-1 break-words whitespace-pre-wrap">{stored || text.common.draft.nothing}</p>
        </div>
      ))}
    </>
  )
}
