import { Badge } from '@cloudflare/kumo/components/badge'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeFromList } from '../../../api/request/remove-from-list.ts'
import {
  deleteModelConnection,
  testModelConnection,
  updateModelConnection,
} from '../../../api/organization/connections.ts'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { text } from '../../../text/en.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { Card } from '../card-list.tsx'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function ModelCard(props: { model: ModelConnection; reason: string | null; onEdit: () => void }) {
  const { model, reason } = props
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const reread = () => client.invalidateQueries({ queryKey: queryKeys.models.all })
  const test = useMutation({ mutationFn: () => testModelConnection(model.id) })
  const makeDefault = useMutation({
    mutationFn: () => updateModelConnection(model.id, { isDefault: true }),
    onSuccess: reread,
  })
  const remove = useMutation({
    mutationFn: () => deleteModelConnection(model.id),
    onSuccess: () => removeFromList(client, queryKeys.models.all, model.id),
  })
  const edit = () => {
    // The result of an earlier test would be that of the connection before the edit.
    test.reset()
    props.onEdit()
  }
  const isScaffold = model.provider === 'scaffold'
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-medium text-kumo-strong">{model.label}</h2>
        {model.isDefault && <Badge variant="outline">{settingsText.models.default}</Badge>}
        <span className="text-[13px] text-kumo-subtle">{settingsText.models.providers[model.provider]}</span>
      </div>
      {isScaffold ? (
        <p className="mt-1.5 text-[13px] text-kumo-subtle">{settingsText.models.scaffold}</p>
      ) : (
        <ModelFacts model={model} />
      )}
      <div className="mt-3.5 flex flex-wrap items-center gap-2">
        <ReasonButton size="sm" reason={reason} loading={test.isPending} onClick={() => test.mutate()}>
          {settingsText.models.test}
        </ReasonButton>
        {!model.isDefault && (
          <ReasonButton
            size="sm"
            reason={reason}
            loading={makeDefault.isPending}
            onClick={() => makeDefault.mutate()}
          >
            {settingsText.models.makeDefault}
          </ReasonButton>
        )}
        <ReasonButton size="sm" variant="ghost" reason={reason} onClick={edit}>
          {text.common.edit}
        </ReasonButton>
        <ReasonButton size="sm" variant="ghost" reason={reason} onClick={() => setDeleting(true)}>
          {text.common.delete}
        </ReasonButton>
        <p role="status" className="text-[13px]">
          {test.data && (
            <StateDot tone="good">{settingsText.models.testOk(formatDuration(test.data.latencyMs))}</StateDot>
          )}
        </p>
      </div>
      <div className="mt-3 space-y-2 empty:hidden">
        {test.isError && <FailureNote title={settingsText.models.testFailed} error={test.error} />}
        {makeDefault.isError && <FailureNote error={makeDefault.error} />}
      </div>
      {isDeleting && (
        <Suspense fallback={null}>
          <Confirm
            title={settingsText.models.deleteTitle(model.label)}
            consequence={settingsText.models.deleteConsequence}
            submit={settingsText.models.deleteSubmit}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}

function ModelFacts({ model }: { model: ModelConnection }) {
  const facts = [
    [settingsText.models.model, model.defaultModel],
    [settingsText.models.address, model.baseUrl],
    [settingsText.models.key, model.hasKey ? settingsText.models.keySaved : settingsText.models.keyNone],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))
  return (
    <dl className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-[13px]">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="text-kumo-subtle">{name}</dt>
          <dd className="min-w-0 break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
