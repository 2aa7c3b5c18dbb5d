import { CpuIcon, PlusIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { createModelConnection, modelConnectionsQuery } from '../../../api/organization/connections.ts'
import { meQuery } from '../../../api/account/session.ts'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote, LoadFailure } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { ModelCard } from './model-card.tsx'
import { TokenLimits } from './token-limits.tsx'
import { SettingsHeader } from '../settings-header.tsx'

const ModelDialog = lazy(() =>
  import('./model-dialog.tsx').then((module) => ({ default: module.ModelDialog })),
)

export function Models() {
  const models = useQuery(modelConnectionsQuery())
  const role = useQuery(meQuery()).data?.role
  const [editing, setEditing] = useState<ModelConnection | 'new' | null>(null)
  const reason = role === 'member' ? settingsText.models.membersOnly : null
  return (
    <>
      <SettingsHeader
        title={settingsText.models.title}
        lead={settingsText.models.lead}
        action={
          <ReasonButton
            variant="primary"
            icon={<PlusIcon />}
            reason={reason}
            onClick={() => setEditing('new')}
          >
            {settingsText.models.add}
          </ReasonButton>
        }
      />
      {models.isPending && <CardSkeleton />}
      <LoadFailure query={models} />
      {models.data?.length === 0 && <NoModels />}
      {models.data && models.data.length > 0 && (
        <CardList>
          {models.data.map((model) => (
            <ModelCard key={model.id} model={model} reason={reason} onEdit={() => setEditing(model)} />
          ))}
        </CardList>
      )}
      {models.data && models.data.length > 0 && <TokenLimits reason={reason} />}
      {editing && (
        <Suspense fallback={null}>
          <ModelDialog model={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  )
}

function NoModels() {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () =>
      createModelConnection({ provider: 'scaffold', label: settingsText.models.providers.scaffold }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.models.all }),
  })
  return (
    <>
      <EmptyNote
        icon={<CpuIcon />}
        title={settingsText.models.empty}
        hint={settingsText.models.emptyHint}
        action={
          <Button loading={add.isPending} onClick={() => add.mutate()}>
            {settingsText.models.addScaffold}
          </Button>
        }
      />
      {add.isError && <FailureNote error={add.error} />}
    </>
  )
}
