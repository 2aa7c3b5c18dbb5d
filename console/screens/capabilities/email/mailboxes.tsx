import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { emailQuery, type Mailbox, replaceMailboxes } from './query.ts'
import { emailText as words } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { href } from '../../../routes.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

/**
 * Lists the addresses whose mail becomes records, with a form to add one. Each change sends the whole list.
 */
export function Mailboxes({ projectId, status }: { projectId: string; status: EmailStatus }) {
  const client = useQueryClient()
  const { mailboxes, routing, collections } = status
  const { domain } = status.sending
  const save = useMutation({
    // Change the currently stored list, so that mailboxes added by another member since the page was read are kept.
    mutationFn: async (change: (stored: Mailbox[]) => Mailbox[]) => {
      const now = await client.fetchQuery({ ...emailQuery(projectId), networkMode: 'always' })
      return replaceMailboxes(
        projectId,
        change(now.mailboxes.map(({ localPart, collection, notify }) => ({ localPart, collection, notify }))),
      )
    },
    onSettled: () => client.invalidateQueries(emailQuery(projectId)),
  })
  const [removed, setRemoved] = useState<{ localPart: string; address: string } | null>(null)
  return (
    <section
      aria-labelledby="mailboxes"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div className="space-y-1">
        <h2 id="mailboxes" className="text-[15px] font-semibold text-kumo-strong">
          {words.mailboxes}
        </h2>
        <p className="text-kumo-subtle">{words.mailboxesHint}</p>
        {routing !== 'none' && (
          <p role="status" className={routing === 'ready' ? 'text-kumo-default' : 'text-removed'}>
            {words.routing[routing]}
          </p>
        )}
      </div>
      {save.isError && removed === null && <FailureNote error={save.error} takeFocus />}
      {mailboxes.length === 0 ? (
        <p>{words.noMailboxes}</p>
      ) : (
        <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
          {mailboxes.map(({ localPart, address, collection, notify }) => (
            <li key={localPart} className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-3">
              <div className="min-w-0">
                <p className="font-mono text-[13px] break-all text-kumo-strong">{address}</p>
                <p className="text-[13px] text-kumo-subtle">
                  <a
                    href={href.collection(projectId, collection)}
                    className="rounded-sm text-kumo-link underline underline-offset-3"
                  >
                    {collection}
                  </a>
                  {notify && ` · ${words.notified}`}
                </p>
              </div>
              <Button
                size="sm"
                variant="ghost"
                aria-label={words.removeNamed(address)}
                disabled={save.isPending}
                onClick={() => setRemoved({ localPart, address })}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {removed !== null && (
        <Confirm
          title={words.removeAsk(removed.address)}
          consequence={words.removeConsequence}
          submit={words.remove}
          busy={save.isPending}
          error={save.error}
          onConfirm={() =>
            save.mutate((stored) => stored.filter((one) => one.localPart !== removed.localPart), {
              onSuccess: () => setRemoved(null),
            })
          }
          onClose={() => setRemoved(null)}
        />
      )}
      {domain === null || collections.length === 0 ? (
        <p className="text-[13px] text-kumo-subtle">
          {domain === null ? words.noDomain : words.noCollections}
        </p>
      ) : (
        <MailboxForm
          domain={domain}
          collections={collections}
          isSaving={save.isPending}
          onAdd={(one, onAdded) => save.mutate((stored) => [...stored, one], { onSuccess: onAdded })}
        />
      )}
    </section>
  )
}

function MailboxForm(props: {
  domain: string
  collections: string[]
  isSaving: boolean
  onAdd: (mailbox: Mailbox, onAdded: () => void) => void
}) {
  const { domain, collections, isSaving, onAdd } = props
  const [localPart, setLocalPart] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  // A ship may remove the chosen collection while the form is open.
  const collection = collections.find((name) => name === chosen) ?? collections[0] ?? ''
  const [notify, setNotify] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    onAdd({ localPart: localPart.trim(), collection, notify }, () => {
      // Keep an address that was typed while the request ran, because it is not added yet.
      setLocalPart((now) => (now === localPart ? '' : now))
      setNotify(false)
    })
  }
  return (
    <form noValidate onSubmit={submit} aria-label={words.add} className="space-y-3">
      <h3 className="font-medium text-kumo-strong">{words.add}</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.address}
          description={words.addressHint(domain)}
          value={localPart}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setLocalPart(event.target.value)}
        />
        <NativeSelect
          label={words.collection}
          value={collection}
          options={collections.map((name) => ({ value: name, label: name }))}
          onChange={setChosen}
        />
      </div>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4"
          checked={notify}
          onChange={(event) => setNotify(event.target.checked)}
        />
        {words.notify}
      </label>
      <ReasonButton
        type="submit"
        loading={isSaving}
        reason={localPart.trim() === '' ? text.common.fillIn(words.address) : null}
      >
        {words.save}
      </ReasonButton>
    </form>
  )
}
