import { ingestText } from '../../../text/ingest.en.ts'

export function IdeaFields() {
  return (
    <>
      <dl className="space-y-2.5">
        {ingestText.fields.list.map(([field, meaning]) => (
          <div key={field} className="flex gap-4">
            <dt className="w-12 shrink-0 font-mono text-xs leading-5">{field}</dt>
            <dd className="min-w-0">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="text-[13px] text-kumo-subtle">{ingestText.fields.answers}</p>
    </>
  )
}
