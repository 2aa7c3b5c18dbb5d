import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useState } from 'react'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { hookText } from './text.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { AddForm } from '../tab-parts/add-form.tsx'
import { FormAddress } from '../tab-parts/form-address.tsx'
import { useSetCapability } from '../use-set-capability.ts'

/** The choice to keep the signature scheme that the app declares for the endpoint. */
const DECLARED_SCHEME = 'declared'
const SIGNATURE_SCHEMES = [
  'standard',
  'stripe',
  'github',
  'slack',
  'shopify',
  'slipway',
  'token',
  'hmac',
] as const

/** The settings of the webhook endpoints by name. */
type Endpoints = Record<string, { scheme?: string }>

export const endpointsOf = ({ settings }: Pick<Capability, 'settings'>): Endpoints =>
  (settings['endpoints'] ?? {}) as Endpoints

/** Returns the address to which other systems post. Null until the app was shipped once. */
export const endpointAddress = (appUrl: string | null, name: string) =>
  appUrl === null ? null : `${appUrl}/_app/hook/${name}`

export function EndpointForm(props: {
  projectId: string
  /** The address of the live app. Null until the app was shipped once. */
  appUrl: string | null
}) {
  const { projectId } = props
  const save = useSetCapability(projectId, 'hook')
  const draft = useDraftFields('endpoint', projectId, { name: '', scheme: DECLARED_SCHEME })
  const name = draft.textOf('name')
  const schemes = [DECLARED_SCHEME, ...SIGNATURE_SCHEMES] as const
  const scheme = schemes.find((one) => one === draft.textOf('scheme')) ?? DECLARED_SCHEME
  // A secret is not stored in the browser.
  const [secret, setSecret] = useState('')

  const submit = () => {
    const key = name.trim()
    // Use `mutateAsync`: `mutate` does not call its callbacks once the form is unmounted, and the form's draft would stay.
    save
      .mutateAsync((stored) => {
        const endpoints = endpointsOf(stored)
        const own = { ...endpoints[key], ...(scheme !== DECLARED_SCHEME && { scheme }) }
        return {
          enabled: stored.enabled,
          settings: { endpoints: { ...endpoints, [key]: own } },
          ...(secret !== '' && { secrets: { [`${key}Secret`]: secret } }),
        }
      })
      .then(() => {
        draft.forget(draft.typed)
        setSecret((now) => (now === secret ? '' : now))
      })
      // The form shows the error.
      .catch(() => {})
  }

  return (
    <AddForm
      title={hookText.add}
      submit={hookText.save}
      missing={name.trim() === '' ? hookText.name : null}
      isSaving={save.isPending}
      error={save.error}
      onSubmit={submit}
    >
      <FormDraftNote draft={draft} />
      <TextField
        {...draft.field('name')}
        label={hookText.name}
        description={hookText.nameHint}
        autoComplete="off"
        spellCheck={false}
      />
      {name.trim() !== '' && (
        <FormAddress
          projectId={projectId}
          label={hookText.address}
          hint={hookText.addressHint}
          address={endpointAddress(props.appUrl, name.trim())}
          copy={hookText.copyForm}
        />
      )}
      <NativeSelect
        label={hookText.scheme}
        value={scheme}
        options={[
          { value: DECLARED_SCHEME, label: hookText.asDeclared },
          ...SIGNATURE_SCHEMES.map((value) => ({ value, label: hookText.schemes[value] })),
        ]}
        onChange={(next) => draft.write({ scheme: next })}
      />
      <TextField
        type="password"
        label={hookText.secret}
        description={hookText.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => setSecret(event.target.value)}
      />
    </AddForm>
  )
}
