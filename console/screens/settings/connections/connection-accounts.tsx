import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import {
  chooseCloudflareAccount,
  cloudAccountsQuery,
  connectionsQuery,
} from '../../../api/organization/connections.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { text } from '../../../text/en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'

const { chooser: words } = connectionsText

/**
 * The dialog to choose the cloud account to which apps are deployed. When the current account has a deployed project, the dialog says that
 * no other account can be chosen.
 */
export function ConnectionAccounts({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const accounts = useQuery(cloudAccountsQuery())
  const [picked, setPicked] = useState<string | null>(null)
  const chosen = picked ?? accounts.data?.chosen ?? null
  const choose = useMutation({
    mutationFn: chooseCloudflareAccount,
    onSuccess: (connections) => {
      client.setQueryData(connectionsQuery().queryKey, connections)
      void client.invalidateQueries({ queryKey: queryKeys.connections.all })
      onClose()
    },
  })
  const { data } = accounts
  const locked = data?.locked ?? null
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.title}</Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">
          {locked === null ? words.lead : words.locked}
        </Dialog.Description>
        {accounts.isPending && (
          <Skeleton>
            <Bar className="h-9!" />
          </Skeleton>
        )}
        {accounts.isError && <FailureNote error={accounts.error} onRetry={() => void accounts.refetch()} />}
        {choose.isError && <FailureNote title={words.failed} error={choose.error} takeFocus />}
        {data?.accounts.length === 0 && <p>{words.none}</p>}
        {data && data.accounts.length > 0 && (
          <fieldset className="space-y-1">
            <legend className="mb-1.5 text-[13px] font-medium">{words.legend}</legend>
            {data.accounts.map((account) => (
              <label
                key={account.id}
                className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-2 py-1 hover:bg-kumo-tint has-disabled:cursor-not-allowed"
              >
                <input
                  type="radio"
                  name="account"
                  value={account.id}
                  checked={chosen === account.id}
                  disabled={locked !== null && locked !== account.id}
                  onChange={() => setPicked(account.id)}
                  className="size-4 shrink-0"
                />
                <span className="min-w-0 flex-1">
                  <span className="block break-words">{account.name}</span>
                  <code className="block font-mono text-xs break-all text-kumo-subtle">{account.id}</code>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {text.common.cancel}
          </Button>
          <ReasonButton
            variant="primary"
            loading={choose.isPending}
            reason={chosen === null ? words.notChosen : chosen === data?.chosen ? words.isChosen : null}
            onClick={() => chosen !== null && choose.mutate(chosen)}
          >
            {words.submit}
          </ReasonButton>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
