import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { emailQuery, onboardEmail } from './query.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { emailText as words } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

export function SenderForm(props: { projectId: string; status: EmailStatus; onDone: () => void }) {
  const { projectId, status, onDone } = props
  const client = useQueryClient()
  const { zones, sending } = status
  const [chosen, setChosen] = useState(sending.zoneId)
  // The chosen domain may be removed from the account while the form is open.
  const zone =
    zones.find(({ id }) => id === chosen) ?? zones.find(({ status }) => status === 'active') ?? zones[0]
  const zoneId = zone?.id ?? ''
  const [localPart, setLocalPart] = useState(sending.localPart ?? 'hello')
  const set = useMutation({
    mutationFn: () => onboardEmail(projectId, { zoneId, localPart: localPart.trim() }),
    onSuccess: (next) => {
      client.setQueryData(emailQuery(projectId).queryKey, next)
      onDone()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!set.isPending) set.mutate(undefined, { onError: (error) => focusRefusedField(form, error) })
  }
  if (zones.length === 0) return <p className="text-kumo-subtle">{words.noZones}</p>
  const failure = set.isError ? describeFailure(set.error) : null
  const ofField = failure?.field === 'localPart' ? failure.sentence : undefined
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      {failure !== null && ofField === undefined && (
        <FailureNote title={words.notSet} error={set.error} takeFocus />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          name="localPart"
          label={words.localPart}
          description={words.localPartHint}
          {...(ofField !== undefined && { error: ofField })}
          value={localPart}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setLocalPart(event.target.value)}
        />
        <NativeSelect
          label={words.domain}
          value={zoneId}
          options={zones.map(({ id, name, status }) => ({
            value: id,
            label: status === 'active' ? name : words.inactive(name),
          }))}
          onChange={setChosen}
        />
      </div>
      <ReasonButton
        type="submit"
        variant="primary"
        loading={set.isPending}
        reason={localPart.trim() === '' ? text.common.fillIn(words.localPart) : null}
      >
        {words.choose}
      </ReasonButton>
    </form>
  )
}
