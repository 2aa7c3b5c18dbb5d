import type { ApiKey } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeFromList } from '../../../api/request/remove-from-list.ts'
import { revokeKey } from '../../../api/organization/api-keys.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { Card } from '../card-list.tsx'
import { factsOf } from './key-facts.ts'
import { Button } from '../../../ui/controls/button.tsx'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function KeyCard({ apiKey }: { apiKey: ApiKey }) {
  const client = useQueryClient()
  const [isRevoking, setRevoking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: () => removeFromList(client, queryKeys.apiKeys, apiKey.id),
  })
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-medium break-words text-kumo-strong">{apiKey.name}</h2>
          <p className="mt-0.5 text-[13px] break-words text-kumo-subtle">
            <code className="font-mono text-xs">{apiKey.prefix}…</code> ·{' '}
            {factsOf(apiKey, new Date()).join(' · ')}
          </p>
          <ul className="mt-2.5 flex flex-wrap gap-1.5">
            {apiKey.scopes.map((scope) => (
              <li
                key={scope}
                title={scope}
                className={`rounded-full px-2.5 py-0.5 text-xs ${scope === 'deploy:write' ? 'bg-kumo-warning-tint font-medium text-kumo-warning' : 'bg-kumo-fill'}`}
              >
                {settingsText.keys.scopeWords[scope]}
              </li>
            ))}
          </ul>
        </div>
        <Button
          size="sm"
          variant="secondary-destructive"
          aria-label={settingsText.keys.revokeOf(apiKey.name)}
          onClick={() => setRevoking(true)}
        >
          {settingsText.keys.revoke}
        </Button>
      </div>
      {isRevoking && (
        <Suspense fallback={null}>
          <Confirm
            title={settingsText.keys.revokeTitle(apiKey.name)}
            consequence={settingsText.keys.revokeConsequence}
            submit={settingsText.keys.revokeSubmit}
            busy={revoke.isPending}
            error={revoke.error}
            onConfirm={() => revoke.mutate()}
            onClose={() => setRevoking(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}
