import { LightbulbIcon, PlusIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ingestSourcesQuery } from '../../../api/organization/ingest.ts'
import { ingestText } from '../../../text/ingest.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { ToolCard } from '../tool-card.tsx'
import { SenderCode } from './sender-code.tsx'
import { SourceCard } from './source-card.tsx'

const SourceDialog = lazy(() =>
  import('./source-dialog.tsx').then((module) => ({ default: module.SourceDialog })),
)

export function Ingest() {
  const sources = useQuery(ingestSourcesQuery())
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <SettingsHeader
        title={ingestText.title}
        lead={ingestText.lead}
        action={
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
            {ingestText.create}
          </Button>
        }
      />
      {sources.isPending && <CardSkeleton />}
      <LoadFailure query={sources} />
      {sources.data?.length === 0 && (
        <EmptyNote icon={<LightbulbIcon />} title={ingestText.empty} hint={ingestText.emptyHint} />
      )}
      {sources.data && sources.data.length > 0 && (
        <>
          <p className="mb-2 text-[13px] text-kumo-subtle">{ingestText.of(sources.data.length)}</p>
          <CardList>
            {sources.data.map((source) => (
              <SourceCard key={source.id} source={source} />
            ))}
          </CardList>
        </>
      )}
      {sources.data && (
        <div className="mt-8 space-y-3">
          <ToolCard title={ingestText.code.title} hint={ingestText.code.hint}>
            <SenderCode />
          </ToolCard>
          <ToolCard title={ingestText.fields.title} hint={ingestText.fields.hint}>
            <IdeaFields />
          </ToolCard>
        </div>
      )}
      {isCreating && (
        <Suspense fallback={null}>
          <SourceDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

function IdeaFields() {
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
