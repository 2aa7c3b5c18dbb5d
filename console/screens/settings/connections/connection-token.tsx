import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  connectCloudflareToken,
  connectionsQuery,
  movesQuery,
  type TokenInput,
} from '../../../api/organization/connections.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { text } from '../../../text/en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { focusField, focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { PillChoice } from '../../../ui/controls/pill-choice.tsx'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { entryOf } from '../../../lib/fields.ts'

const { token: words, scopes } = connectionsText

/** The permissions without which no project can be deployed. Some capabilities of an app need more. */
const NEEDED_SCOPES = [
  'account-settings.read',
  'workers-scripts.write',
  'workers-observability.read',
  'account-analytics.read',
  'r2.write',
  'user-details.read',
  'memberships.read',
]
const OPTIONAL_SCOPES = Object.keys(scopes.names).filter(
  (scope) => scope !== 'repo' && !NEEDED_SCOPES.includes(scope),
)

/** Connects a cloud account with an API token of the provider. Only this form holds the token. */
export function ConnectionToken({ isMove, onClose }: { isMove: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const [isEmpty, setEmpty] = useState(false)
  const [liveData, setLiveData] = useState<NonNullable<TokenInput['liveData']>>('copy')
  const connect = useMutation({
    mutationFn: connectCloudflareToken,
    gcTime: 0,
    onSuccess: (connections) => {
      // Reset the mutation, because its variables hold the token, which must not stay in the cache.
      connect.reset()
      client.setQueryData(connectionsQuery().queryKey, connections)
      void client.invalidateQueries({ queryKey: movesQuery().queryKey })
      onClose()
    },
  })
  const failure = connect.isError ? describeFailure(connect.error) : null
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const token = String(data.get('token') ?? '').trim()
    const accountId = String(data.get('accountId') ?? '').trim()
    setEmpty(token === '')
    if (token === '') return focusField(form, 'token')
    connect.mutate(
      { token, ...(accountId && { accountId }), ...(isMove && { liveData }) },
      { onError: (error) => focusRefusedField(form, error) },
    )
  }
  const errorAt = (field: string) => (failure?.field === field ? { error: failure.sentence } : {})
  return (
    <FormDialog size="lg" className="max-h-[92dvh] w-full overflow-y-auto p-6" onClose={onClose}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {isMove ? words.moveTitle : words.title}
        </Dialog.Title>
        {isMove && <ComesAlong />}
        <div className="space-y-2 text-[13px]">
          <Dialog.Description className="text-kumo-subtle">{words.lead}</Dialog.Description>
          <PermissionList scopes={NEEDED_SCOPES} />
          <details>
            <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle hover:text-kumo-default">
              {words.more}
            </summary>
            <div className="mt-1">
              <PermissionList scopes={OPTIONAL_SCOPES} />
            </div>
          </details>
        </div>
        {failure && failure.field !== 'token' && failure.field !== 'accountId' && (
          <FailureNote title={words.failed} error={connect.error} takeFocus />
        )}
        <TextField
          name="token"
          type="password"
          label={words.field}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          description={words.hint}
          {...(isEmpty ? { error: words.missing } : errorAt('token'))}
        />
        <TextField
          name="accountId"
          label={`${words.account} (${text.common.optional})`}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          description={words.accountHint}
          {...errorAt('accountId')}
        />
        {isMove && (
          <div className="space-y-1.5">
            <PillChoice
              label={words.liveData}
              value={liveData}
              options={words.liveDataChoices}
              onChange={setLiveData}
            />
            <p className="text-[13px] text-kumo-subtle">{words.liveDataHints[liveData]}</p>
          </div>
        )}
        <FormFooter submit={words.submit} busy={connect.isPending} onClose={onClose} />
      </form>
    </FormDialog>
  )
}

/** Lists what is copied to the new account, so that the person knows this before sending the token. */
function ComesAlong() {
  return (
    <ul className="list-disc space-y-0.5 pl-5 text-[13px]">
      {words.comesAlong.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

function PermissionList({ scopes: listed }: { scopes: string[] }) {
  return (
    <ul className="grid gap-x-4 gap-y-0.5 sm:grid-cols-2">
      {listed.map((scope) => (
        <li key={scope}>{entryOf(scopes.names, scope)?.[0]}</li>
      ))}
    </ul>
  )
}
