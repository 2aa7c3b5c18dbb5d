import { KeyIcon, PlusIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { keysQuery } from '../../../api/organization/api-keys.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { KeyCard } from './key-card.tsx'
import { KEYS_MAX } from './key-facts.ts'
import { SettingsHeader } from '../settings-header.tsx'

const KeyDialog = lazy(() => import('./key-dialog.tsx').then((module) => ({ default: module.KeyDialog })))

export function Keys() {
  const keys = useQuery(keysQuery())
  const [isCreating, setCreating] = useState(false)
  const held = keys.data?.length ?? 0
  return (
    <>
      <SettingsHeader
        title={settingsText.keys.title}
        lead={settingsText.keys.lead}
        action={
          <ReasonButton
            variant="primary"
            icon={<PlusIcon />}
            reason={held >= KEYS_MAX ? settingsText.keys.full : null}
            onClick={() => setCreating(true)}
          >
            {settingsText.keys.create}
          </ReasonButton>
        }
      />
      {keys.isPending && <CardSkeleton />}
      <LoadFailure query={keys} />
      {keys.data?.length === 0 && (
        <EmptyNote icon={<KeyIcon />} title={settingsText.keys.empty} hint={settingsText.keys.emptyHint} />
      )}
      {keys.data && keys.data.length > 0 && (
        <>
          <KeyMeter held={held} />
          <CardList>
            {keys.data.map((key) => (
              <KeyCard key={key.id} apiKey={key} />
            ))}
          </CardList>
        </>
      )}
      {isCreating && (
        <Suspense fallback={null}>
          <KeyDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

function KeyMeter({ held }: { held: number }) {
  return (
    <div className="mb-3 flex items-center gap-3 text-[13px] text-kumo-subtle">
      <p>{settingsText.keys.of(held, KEYS_MAX)}</p>
      <div aria-hidden="true" className="h-1.5 w-32 overflow-hidden rounded-full bg-kumo-fill">
        <div
          className={`h-full rounded-full ${held >= KEYS_MAX ? 'bg-kumo-warning' : 'bg-tide'}`}
          style={{ width: `${Math.min(100, (held / KEYS_MAX) * 100)}%` }}
        />
      </div>
    </div>
  )
}
