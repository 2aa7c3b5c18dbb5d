import { isRecord } from '@slipway/sdk/is-record.ts'
import type { CapabilityMetadata } from '@slipway/sdk/capabilities.gen.ts'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { type FormEvent, useRef, useState } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { useFocusOnInvalid } from '../../../ui/browser/focus-field.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { notify } from '../../../shell/toasts/toasts.ts'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { inlineCode } from '../../../ui/format/inline-code.tsx'
import { hasSecret } from '../capability-metadata.ts'
import {
  settingFields,
  isStructure,
  readField,
  settingText,
  type SettingField,
  titlesAt,
} from './schema-fields.ts'
import { problemText, SettingControl } from './setting-control.tsx'
import { unsavedFields } from './unsaved-fields.ts'
import { NewerValue, UnsavedNote } from './unsaved-notes.tsx'
import { useSaveSettings } from './use-save-settings.ts'

interface SettingsFormProps {
  projectId: string
  capability: Capability
  metadata: CapabilityMetadata
}

/**
 * Edits the settings of a capability. Sends only the changes and never shows a stored secret. A refetch changes only the settings that the
 * person has not edited. Edited settings survive a reload until they are saved or discarded. Typed secrets are lost in a reload: they are
 * not stored, because every script of this origin can read the storage of the browser.
 */
export function SettingsForm({ projectId, capability, metadata }: SettingsFormProps) {
  const fields = settingFields(metadata.settings)
  const stored = Object.fromEntries(
    fields.map((field) => [field.name, settingText(field, capability.settings[field.name])]),
  )
  const draft = useDraftFields('settings', `${projectId}.${capability.key}`, stored, (name, text) =>
    fields.some((field) => field.name === name && isShowable(field, text)),
  )
  const { typed } = draft
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const form = useRef<HTMLFormElement>(null)
  // The attempts to save since the form was saved or discarded.
  const [attempts, setAttempts] = useState(0)
  // Counts how often Discard and Undo replaced all typed settings. Each replacement mounts the controls again that keep a copy of their
  // value.
  const [replaced, setReplaced] = useState(0)
  const remount = () => setReplaced((count) => count + 1)
  const save = useSaveSettings(projectId, capability, (sent) => {
    draft.forget(sent.typed)
    setSecrets((now) => unsavedFields(now, sent.secrets))
    setAttempts(0)
  })
  useFocusOnInvalid(form, attempts, save.error)
  const read = fields.flatMap((field) => {
    const text = typed[field.name]?.text
    return text === undefined || text === stored[field.name] ? [] : [{ field, read: readField(field, text) }]
  })
  const current = Object.fromEntries(fields.map(({ name }) => [name, draft.textOf(name)]))
  const shownSecrets = [...metadata.secrets, ...providerSecrets(capability.key, current['methods'])]
  // Leave out the secret of a provider that was removed or renamed after its secret was typed.
  const givenSecrets = Object.fromEntries(
    shownSecrets.flatMap(({ name }) => (secrets[name] ? [[name, secrets[name]]] : [])),
  )
  const failure = save.isError ? describeFailure(save.error) : null
  const [failedName, ...failedPath] = failure?.field?.replace(/^settings\./, '').split('.') ?? []
  const isFailureOfField = fields.some(({ name }) => name === failedName)

  const isUnsaved = (name: string) => read.some(({ field }) => field.name === name)
  const errorOf = (name: string) => {
    const problem = read.find((one) => one.field.name === name)?.read
    if (attempts > 0 && problem && 'problem' in problem) return problemText(problem.problem)
    const field = fields.find((one) => one.name === name)
    if (failure === null || field === undefined || failedName !== name) return undefined
    // Without the titles, the error of a list would not say which of its entries is wrong.
    const titles = titlesAt(field, failedPath).join(', ')
    return titles === '' ? failure.sentence : `${titles}: ${failure.sentence}`
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAttempts(attempts + 1)
    if (save.isPending || read.some((one) => 'problem' in one.read)) return
    const settings = Object.fromEntries(
      read.flatMap((one) => ('value' in one.read ? [[one.field.name, one.read.value]] : [])),
    )
    save.mutate({ settings, secrets: givenSecrets, typed })
  }
  const discard = () => {
    const undo = () => {
      draft.restore(typed)
      remount()
      setSecrets((now) => ({ ...secrets, ...now }))
    }
    notify(capabilitiesText.settings.discarded(metadata.title), { undo })
    draft.clear()
    remount()
    setSecrets({})
    setAttempts(0)
    save.reset()
  }
  if (fields.length === 0 && metadata.secrets.length === 0)
    return <p className="text-kumo-subtle">{capabilitiesText.settings.none}</p>
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      aria-label={capabilitiesText.settings.title}
      className="space-y-5 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      {save.isError && !isFailureOfField && (
        <FailureNote title={capabilitiesText.settings.failed} error={save.error} takeFocus />
      )}
      {fields.map((field) => {
        const { name } = field
        // Show no newer value while a save runs: the stored value may be the one that was just sent, because the typed text is cleared
        // later.
        const isNewer = !save.isPending && isUnsaved(name) && typed[name]?.over !== stored[name]
        return (
          <div key={name} className="space-y-2">
            <SettingControl
              // The control of an object or a list of objects copies the value into its state, so it mounts again
              // when the stored value changes.
              key={isStructure(field) ? `${replaced} ${typed[name]?.over ?? stored[name]}` : name}
              field={field}
              value={current[name] ?? ''}
              error={errorOf(name)}
              onChange={(value) => draft.write({ [name]: value })}
            />
            {isNewer && (
              <NewerValue
                field={field}
                stored={stored[name] ?? ''}
                onTake={() => draft.write({ [name]: stored[name] ?? '' })}
              />
            )}
          </div>
        )
      })}
      {shownSecrets.map(({ name, title, description }) => (
        <TextField
          key={name}
          type="password"
          label={title}
          description={inlineCode(
            `${description} ${hasSecret(capability, name) ? capabilitiesText.settings.secretSaved : capabilitiesText.settings.secretNone}`,
          )}
          autoComplete="off"
          value={secrets[name] ?? ''}
          onChange={(event) => setSecrets({ ...secrets, [name]: event.target.value })}
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {capabilitiesText.settings.save}
        </Button>
        <UnsavedNote settings={read.length} secrets={Object.keys(givenSecrets).length} onDiscard={discard} />
      </div>
    </form>
  )
}

/** The controls of objects and lists parse their text. The control of a JSON setting shows any text. */
function isShowable(field: SettingField, text: string): boolean {
  if (field.kind === 'json' || !isStructure(field)) return true
  const read = readField(field, text)
  return 'value' in read || read.problem.is !== 'json'
}

/** Returns a secret field for each sign-in provider, including one that is not saved yet. */
function providerSecrets(key: string, methods: string | undefined): CapabilityMetadata['secrets'] {
  if (key !== 'auth' || methods === undefined) return []
  const read = JSON.parse(methods)
  const oauth: unknown[] = isRecord(read) && Array.isArray(read['oauth']) ? read['oauth'] : []
  // While a name is typed, two providers may have the same name.
  const ids = new Set(oauth.map((provider) => (isRecord(provider) ? provider['id'] : '')))
  return [...ids].flatMap((id) => {
    if (typeof id !== 'string' || id === '') return []
    return [{ name: `${id}ClientSecret`, title: capabilitiesText.settings.secretOf(id), description: '' }]
  })
}
