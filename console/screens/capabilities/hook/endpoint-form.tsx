import { useState } from 'react'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { AddForm } from '../add-form.tsx'
import { FormAddress } from '../form-address.tsx'
import { unsavedOf } from '../unsaved.ts'
import { useSetCapability } from '../use-set-capability.ts'

const endpointsText = capabilitiesText.endpoints

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
      title={endpointsText.add}
      submit={endpointsText.save}
      missing={name.trim() === '' ? endpointsText.name : null}
      isSaving={save.isPending}
      error={save.error}
      onSubmit={submit}
    >
      <TextField
        label={endpointsText.name}
        description={endpointsText.nameHint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type('name')(event.target.value)}
      />
      {name.trim() !== '' && (
        <FormAddress
          projectId={projectId}
          label={endpointsText.address}
          hint={endpointsText.addressHint}
          address={endpointAddress(props.appUrl, name.trim())}
          copy={endpointsText.copyForm}
        />
      )}
      <NativeSelect
        label={endpointsText.scheme}
        value={scheme}
        options={[
          { value: DECLARED_SCHEME, label: endpointsText.asDeclared },
          ...SIGNATURE_SCHEMES.map((value) => ({ value, label: endpointsText.schemes[value] })),
        ]}
        onChange={type('scheme')}
      />
      <TextField
        type="password"
        label={endpointsText.secret}
        description={endpointsText.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => type('secret')(event.target.value)}
      />
    </AddForm>
  )
}
