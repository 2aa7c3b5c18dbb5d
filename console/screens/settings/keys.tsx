import { Button } from '@cloudflare/kumo/components/button'
import { KeyIcon, PlusIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { keysQuery, revokeKey } from '../../api/keys.ts'
import type { ApiKey } from '@slipway/sdk/client/types.gen.ts'
import { text } from '../../text/en.ts'
import { settingsText } from '../../text/settings.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure.tsx'
import { formatRelative } from '../../ui/format.ts'
import { Card, CardList, CardSkeleton } from './card-list.tsx'
import { SettingsHeader } from './settings-header.tsx'

const KeyDialog = lazy(() => import('./key-dialog.tsx').then((module) => ({ default: module.KeyDialog })))
const Confirm = lazy(() => import('../../ui/confirm.tsx').then((module) => ({ default: module.Confirm })))

/** The organization's API keys. */
export function Keys() {
  const keys = useQuery(keysQuery())
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
      {settingsText.keys.create}
    </Button>
  )
  return (
    <>
      <SettingsHeader title={settingsText.keys.title} lead={settingsText.keys.lead} action={create} />
      {keys.isPending && <CardSkeleton />}
      {keys.isError && !keys.data && (
        <FailureNote title={text.failure.title} error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {keys.data?.length === 0 && (
        <EmptyNote icon={<KeyIcon />} title={settingsText.keys.empty} hint={settingsText.keys.emptyHint} />
      )}
      {keys.data && keys.data.length > 0 && (
        <>
          <p className="mb-2 text-[13px] text-kumo-subtle">{settingsText.keys.of(keys.data.length)}</p>
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

function KeyCard({ apiKey }: { apiKey: ApiKey }) {
  const client = useQueryClient()
  const [isRevoking, setRevoking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  })
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="truncate font-medium text-kumo-strong">{apiKey.name}</h2>
          <p className="mt-0.5 flex flex-wrap gap-x-2 text-[13px] text-kumo-subtle">
            <code className="font-mono text-xs leading-5">{apiKey.prefix}…</code>
            {factsOf(apiKey).map((fact) => (
              <span key={fact}>· {fact}</span>
            ))}
          </p>
        </div>
        <Button size="sm" variant="secondary-destructive" onClick={() => setRevoking(true)}>
          {settingsText.keys.revoke}
        </Button>
      </div>
      <ul className="mt-2.5 flex flex-wrap gap-1.5">
        {apiKey.scopes.map((scope) => (
          <li
            key={scope}
            title={settingsText.keys.scopeSentences[scope]}
            className="rounded-full bg-kumo-fill px-2.5 py-0.5 font-mono text-xs"
          >
            {scope}
          </li>
        ))}
      </ul>
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

function factsOf(key: ApiKey): string[] {
  const now = new Date()
  const since = (at: string) => formatRelative(new Date(at), now)
  const expired = key.expiresAt !== null && new Date(key.expiresAt) <= now
  return [
    settingsText.keys.created(since(key.createdAt)),
    key.lastUsedAt ? settingsText.keys.lastUsed(since(key.lastUsedAt)) : settingsText.keys.neverUsed,
    ...(key.expiresAt
      ? [expired ? settingsText.keys.expired : settingsText.keys.expiresOn(since(key.expiresAt))]
      : []),
  ]
}
