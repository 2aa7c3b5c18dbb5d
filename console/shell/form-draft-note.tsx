import { draftText } from '../text/drafts.en.ts'
import { DraftNote } from './draft-note.tsx'
import type { useDraftFields } from './use-draft-fields.ts'

/** Says in a form that its text was restored, and what was saved elsewhere since the text was typed. `labels` names the fields. */
export function FormDraftNote({
  draft,
  labels = {},
}: {
  draft: Pick<ReturnType<typeof useDraftFields>, 'isRestored' | 'discard' | 'newer'>
  labels?: Record<string, string>
}) {
  return (
    <>
      <DraftNote draft={draft} />
      {draft.newer.map(({ name, stored }) => (
        <div key={name} role="alert" className="rounded-lg bg-kumo-warning-tint px-3 py-2 text-[13px]">
          <p className="font-medium">{draftText.newer(labels[name] ?? name)}</p>
          <p className="mt-1 break-words whitespace-pre-wrap">{stored || draftText.nothing}</p>
        </div>
      ))}
    </>
  )
}
