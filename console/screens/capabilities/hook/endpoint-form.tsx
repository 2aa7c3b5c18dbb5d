import { type FormEvent, useState } from 'react'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { text } from '../../../text/en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FormAddress } from '../form-address.tsx'
import { useSetCapability } from '../use-set-capability.ts'

const words = capabilitiesText.endpoints

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

/** Returns the address to which other systems post. Null before the first ship. */
export const endpointAddress = (appUrl: string | null, name: string) =>
  appUrl === null ? null : `${appUrl}/_app/hook/${name}`

export function EndpointForm(props: {
  projectId: string
  endpoints: Endpoints
  /** The address of the live app. Null before the first ship. */
  appUrl: string | null
}) {
  const { projectId, endpoints } = props
  const save = useSetCapability(projectId, 'hook')
  const [name, setName] = useState('')
  const [scheme, setScheme] = useState<string>(DECLARED_SCHEME)
  const [secret, setSecret] = useState('')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const key = name.trim()
    const own = { ...endpoints[key], ...(scheme !== DECLARED_SCHEME && { scheme }) }
    save.mutate(
      {
        enabled: true,
        settings: { endpoints: { ...endpoints, [key]: own } },
        ...(secret !== '' && { secrets: { [`${key}Secret`]: secret } }),
      },
      {
        // Text that was typed while the request ran belongs to the next endpoint.
        onSuccess: () => {
          setName((now) => (now === name ? '' : now))
          setSecret((now) => (now === secret ? '' : now))
          setScheme((now) => (now === scheme ? DECLARED_SCHEME : now))
        },
      },
    )
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={words.add}
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <h2 className="font-medium text-kumo-strong">{words.add}</h2>
      {save.isError && (
        <p role="alert" className="text-kumo-danger">
          {save.error.message}
        </p>
      )}
      <TextField
        label={words.name}
        description={words.nameHint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
      />
      {name.trim() !== '' && (
        <FormAddress
          projectId={projectId}
          label={words.address}
          hint={words.addressHint}
          address={endpointAddress(props.appUrl, name.trim())}
          copy={words.copyForm}
        />
      )}
      <NativeSelect
        label={words.scheme}
        value={scheme}
        options={[
          { value: DECLARED_SCHEME, label: words.asDeclared },
          ...SIGNATURE_SCHEMES.map((value) => ({ value, label: words.schemes[value] })),
        ]}
        onChange={setScheme}
      />
      <TextField
        type="password"
        label={words.secret}
        description={words.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => setSecret(event.target.value)}
      />
      <ReasonButton
        type="submit"
        variant="primary"
        loading={save.isPending}
        reason={name.trim() === '' ? text.common.fillIn(words.name) : null}
      >
        {words.save}
      </ReasonButton>
    </form>
  )
}
