import { useState } from 'react'
import { hookText } from './text.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { AddForm } from '../tab-parts/add-form.tsx'
import { FormAddress } from '../tab-parts/form-address.tsx'
import { unsavedOf } from '../settings/unsaved.ts'
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
export type Endpoints = Record<string, { scheme?: string }>

/** Returns the address to which other systems post. Null until the app was shipped once. */
export const endpointAddress = (appUrl: string | null, name: string) =>
  appUrl === null ? null : `${appUrl}/_app/hook/${name}`

export function EndpointForm(props: {
  projectId: string
  endpoints: Endpoints
  /** The address of the live app. Null until the app was shipped once. */
  appUrl: string | null
}) {
  const { projectId, endpoints } = props
  const save = useSetCapability(projectId, 'hook')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const { name = '', scheme = DECLARED_SCHEME, secret = '' } = typed
  const type = (field: string) => (value: string) => setTyped({ ...typed, [field]: value })

  const submit = () => {
    const key = name.trim()
    const own = { ...endpoints[key], ...(scheme !== DECLARED_SCHEME && { scheme }) }
    save.mutate(
      {
        enabled: true,
        settings: { endpoints: { ...endpoints, [key]: own } },
        ...(secret !== '' && { secrets: { [`${key}Secret`]: secret } }),
      },
      { onSuccess: () => setTyped((now) => unsavedOf(now, typed)) },
    )
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
      <TextField
        label={hookText.name}
        description={hookText.nameHint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type('name')(event.target.value)}
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
        onChange={type('scheme')}
      />
      <TextField
        type="password"
        label={hookText.secret}
        description={hookText.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => type('secret')(event.target.value)}
      />
    </AddForm>
  )
}
