import { type FormEvent, useState } from 'react'
import { connectText as words } from '../../../text/connect.en.ts'
import { text } from '../../../text/en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FormAddress } from '../form-address.tsx'
import { useSetCapability } from '../use-set-capability.ts'

type KnownServiceKey = keyof typeof words.services
const KNOWN_SERVICES = Object.keys(words.services) as KnownServiceKey[]

/** The settings of a service, as far as this page shows or changes them. */
export interface Service {
  id: string
  kind?: 'oauth' | 'apiKey'
  clientId?: string
}

/** Returns the OAuth redirect address of a service. Null before the first ship. */
export const redirectAddress = (appUrl: string | null, id: string) =>
  appUrl === null ? null : `${appUrl}/_app/connect/${id}/callback`

const without = (texts: Record<string, string>, id: string) =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name !== id))

/** Stores the client id and the secret of a service, and adds the service when it is new. */
export function ServiceForm(props: {
  projectId: string
  services: Service[]
  /** The address of the live app. Null before the first ship. */
  appUrl: string | null
}) {
  const { projectId, services } = props
  const save = useSetCapability(projectId, 'connect')
  const [chosen, setChosen] = useState<string | null>(null)
  /** The typed client ids by service. A service without an entry shows its stored client id. */
  const [clientIds, setClientIds] = useState<Record<string, string>>({})
  /** The typed secrets by service, so that a secret is saved only for the service it was typed for. */
  const [secrets, setSecrets] = useState<Record<string, string>>({})

  const own = services
    .filter((one) => one.kind !== 'apiKey' && !Object.hasOwn(words.services, one.id))
    .map((one) => one.id)
  // The chosen service may have been removed since, so fall back to the first one.
  const id = [...KNOWN_SERVICES, ...own].find((one) => one === chosen) ?? KNOWN_SERVICES[0] ?? ''
  const clientId = clientIds[id] ?? services.find((one) => one.id === id)?.clientId ?? ''
  const secret = secrets[id] ?? ''

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const before = services.find((one) => one.id === id)
    const service = { ...before, id, kind: 'oauth' as const, clientId: clientId.trim() }
    const providers = before ? services.map((one) => (one.id === id ? service : one)) : [...services, service]
    save.mutate(
      { enabled: true, settings: { providers }, secrets: { [`${id}ClientSecret`]: secret } },
      {
        // Text that was typed for this service while the request ran, or for another service, is not saved yet.
        onSuccess: () => {
          setClientIds((now) => (now[id] === clientIds[id] ? without(now, id) : now))
          setSecrets((now) => (now[id] === secret ? without(now, id) : now))
        },
      },
    )
  }

  const missing = clientId.trim() === '' ? words.clientId : secret === '' ? words.secret : null
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={words.add}
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div>
        <h2 className="font-medium text-kumo-strong">{words.add}</h2>
        <p className="text-[13px] text-kumo-subtle">{words.addHint}</p>
      </div>
      {save.isError && (
        <p role="alert" className="text-kumo-danger">
          {save.error.message}
        </p>
      )}
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
        value={clientId}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setClientIds({ ...clientIds, [id]: event.target.value })}
      />
      <TextField
        type="password"
        label={words.secret}
        description={words.secretHint}
        value={secret}
        autoComplete="off"
        onChange={(event) => setSecrets({ ...secrets, [id]: event.target.value })}
      />
      <ReasonButton
        type="submit"
        variant="primary"
        loading={save.isPending}
        reason={missing === null ? null : text.common.fillIn(missing)}
      >
        {words.save}
      </ReasonButton>
    </form>
  )
}
