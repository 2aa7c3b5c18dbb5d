import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useState } from 'react'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { connectText as words } from './text.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { AddForm } from '../tab-parts/add-form.tsx'
import { FormAddress } from '../tab-parts/form-address.tsx'
import { unsavedFields } from '../settings/unsaved-fields.ts'
import { useSetCapability } from '../use-set-capability.ts'
import { declaredKeys } from '../../../lib/fields.ts'

const KNOWN_SERVICES = declaredKeys(words.services)

/** The settings of a service, as far as this page shows or changes them. */
export interface ServiceSettings {
  id: string
  kind?: 'oauth' | 'apiKey'
  clientId?: string
}

export const servicesOf = ({ settings }: Pick<Capability, 'settings'>): ServiceSettings[] =>
  (settings['providers'] ?? []) as ServiceSettings[]

/** Returns the OAuth redirect address of a service. Null until the app was shipped once. */
export const redirectAddress = (appUrl: string | null, id: string) =>
  appUrl === null ? null : `${appUrl}/_app/connect/${id}/callback`

/** Stores the client id and the secret of a service, and adds the service when it is new. */
export function ServiceForm(props: {
  projectId: string
  services: ServiceSettings[]
  /** The address of the live app. Null until the app was shipped once. */
  appUrl: string | null
}) {
  const { projectId, services } = props
  const save = useSetCapability(projectId, 'connect')
  const [chosen, setChosen] = useState<string | null>(null)
  /** The typed secrets by setting, such as `githubClientSecret`. A save sends only the secret of the chosen service. */
  const [secrets, setSecrets] = useState<Record<string, string>>({})

  const own = services
    .filter((one) => one.kind !== 'apiKey' && !Object.hasOwn(words.services, one.id))
    .map((one) => one.id)
  const storedIds = Object.fromEntries(
    [...KNOWN_SERVICES, ...own].map((one) => [
      one,
      services.find((service) => service.id === one)?.clientId ?? '',
    ]),
  )
  const draft = useDraftFields('connect-service', projectId, storedIds)
  // The chosen service may have been removed. Fall back to a service with restored text, otherwise to the first service.
  const ids = Object.keys(storedIds)
  const id =
    ids.find((one) => one === chosen) ?? ids.find((one) => Object.hasOwn(draft.typed, one)) ?? ids[0] ?? ''
  const secretName = `${id}ClientSecret`
  const clientId = draft.textOf(id)
  const secret = secrets[secretName] ?? ''

  const submit = () => {
    // Use `mutateAsync`: `mutate` does not call its callbacks once the form is unmounted, and the form's draft would stay.
    save
      .mutateAsync((stored) => {
        const others = servicesOf(stored)
        const before = others.find((one) => one.id === id)
        const service = { ...before, id, kind: 'oauth' as const, clientId: clientId.trim() }
        const providers = before ? others.map((one) => (one.id === id ? service : one)) : [...others, service]
        return { enabled: stored.enabled, settings: { providers }, secrets: { [secretName]: secret } }
      })
      .then(() => {
        draft.forget({ [id]: { text: clientId, over: '' } })
        setSecrets((now) => unsavedFields(now, { [secretName]: secret }))
      })
      // The form shows the error.
      .catch(() => {})
  }

  return (
    <AddForm
      title={words.add}
      hint={words.addHint}
      submit={words.save}
      missing={clientId.trim() === '' ? words.clientId : secret === '' ? words.secret : null}
      isSaving={save.isPending}
      error={save.error}
      onSubmit={submit}
    >
      <FormDraftNote draft={draft} labels={words.services} />
      <NativeSelect
        label={words.service}
        value={id}
        options={[
          ...KNOWN_SERVICES.map((value) => ({ value, label: words.services[value] })),
          ...own.map((value) => ({ value, label: value })),
        ]}
        onChange={setChosen}
      />
      <FormAddress
        projectId={projectId}
        label={words.redirect}
        hint={words.redirectHint}
        address={redirectAddress(props.appUrl, id)}
        copy={words.copyForm}
      />
      <TextField
        label={words.clientId}
        description={words.clientIdHint}
        {...draft.field(id)}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        type="password"
        label={words.secret}
        description={words.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => setSecrets({ ...secrets, [secretName]: event.target.value })}
      />
    </AddForm>
  )
}
