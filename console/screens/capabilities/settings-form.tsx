import { isRecord } from '@slipway/sdk/is-record.ts'
import type { CapabilityInfo } from '@slipway/sdk/capabilities.gen.ts'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { type FormEvent, useState } from 'react'
import { describeFailure } from '../../api/request/failures.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { hasSecret } from './capability-metadata.ts'
import { settingFields, isStructure, readField, fieldText } from './schema-fields.ts'
import { problemText, SettingControl } from './setting-control.tsx'
import { unsavedOf } from './unsaved.ts'
import { useSetCapability } from './use-set-capability.ts'

interface SettingsFormProps {
  projectId: string
  capability: Capability
  info: CapabilityInfo
}

/** What was typed into a setting, and the stored text that it was typed over. */
interface TypedSetting {
  text: string
  over: string
}

/**
 * Edits the settings of a capability. Sends only the changes and never shows a stored secret. A refetch changes only
 * the settings that were not typed into.
 */
export function SettingsForm({ projectId, capability, info }: SettingsFormProps) {
  const fields = settingFields(info.settings)
  const stored = Object.fromEntries(
    fields.map((field) => [field.name, fieldText(field, capability.settings[field.name])]),
  )
  const [typed, setTyped] = useState<Record<string, TypedSetting>>({})
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const [isChecked, setChecked] = useState(false)
  const save = useSetCapability(projectId, capability.key)
  const read = fields.flatMap((field) => {
    const text = typed[field.name]?.text
    return text === undefined || text === stored[field.name] ? [] : [{ field, read: readField(field, text) }]
  })
  const failure = save.isError ? describeFailure(save.error) : null
  const failedName = failure?.field?.replace(/^settings\./, '').split(/[.[]/)[0]
  const isFailureOfField = fields.some(({ name }) => name === failedName)

  const errorOf = (name: string) => {
    const problem = read.find((one) => one.field.name === name)?.read
    if (isChecked && problem && 'problem' in problem) return problemText(problem.problem)
    return failedName === name ? failure?.sentence : undefined
  }
  const write = (name: string, text: string) => {
    const { [name]: before, ...others } = typed
    const over = before?.over ?? stored[name] ?? ''
    // Text that is the same as the stored value counts as not typed, so that the field follows the stored value.
    setTyped(text === stored[name] ? others : { ...others, [name]: { text, over } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (save.isPending || read.some((one) => 'problem' in one.read)) return
    const settings = Object.fromEntries(
      read.flatMap((one) => ('value' in one.read ? [[one.field.name, one.read.value]] : [])),
    )
    const given = Object.entries(secrets).filter(([, value]) => value !== '')
    save.mutate(
      {
        enabled: capability.enabled,
        settings,
        ...(given.length > 0 && { secrets: Object.fromEntries(given) }),
      },
      {
        onSuccess: () => {
          setTyped((now) => unsavedOf(now, typed))
          setSecrets((now) => unsavedOf(now, secrets))
          setChecked(false)
        },
      },
    )
  }
  const current = Object.fromEntries(
    fields.map(({ name }) => [name, typed[name]?.text ?? stored[name] ?? '']),
  )
  const shownSecrets = [...info.secrets, ...providerSecrets(capability.key, current['methods'])]
  if (fields.length === 0 && info.secrets.length === 0)
    return <p className="text-kumo-subtle">{capabilitiesText.settings.none}</p>
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={capabilitiesText.settings.title}
      className="space-y-5 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      {save.isError && !isFailureOfField && (
        <FailureNote title={capabilitiesText.settings.failed} error={save.error} takeFocus />
      )}
      {fields.map((field) => (
        <SettingControl
          // The control of an object or a list of objects copies the value into its state, so it mounts again
          // when the stored value changes.
          key={
            isStructure(field) ? `${field.name} ${typed[field.name]?.over ?? stored[field.name]}` : field.name
          }
          field={field}
          value={current[field.name] ?? ''}
          error={errorOf(field.name)}
          onChange={(value) => write(field.name, value)}
        />
      ))}
      {shownSecrets.map(({ name, title, description }) => (
        <TextField
          key={name}
          type="password"
          label={title}
          description={`${description} ${hasSecret(capability, name) ? capabilitiesText.settings.secretSaved : capabilitiesText.settings.secretNone}`}
          autoComplete="off"
          value={secrets[name] ?? ''}
          onChange={(event) => setSecrets({ ...secrets, [name]: event.target.value })}
        />
      ))}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {capabilitiesText.settings.save}
        </Button>
      </div>
    </form>
  )
}

/** Returns a secret field for each sign-in provider, including one that is not saved yet. */
function providerSecrets(key: string, methods: string | undefined): CapabilityInfo['secrets'] {
  if (key !== 'auth' || methods === undefined) return []
  const read = JSON.parse(methods)
  const oauth: unknown[] = isRecord(read) && Array.isArray(read['oauth']) ? read['oauth'] : []
  return oauth.flatMap((provider) => {
    const id = isRecord(provider) ? provider['id'] : ''
    if (typeof id !== 'string' || id === '') return []
    return [{ name: `${id}ClientSecret`, title: capabilitiesText.settings.secretOf(id), description: '' }]
  })
}
