import type { ModelFinding } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, type FormEvent, type ReactNode, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { createModelConnection, discoverModels } from '../../../api/organization/connections.ts'
import { describeFailure, type Failure } from '../../../api/request/failures.ts'
import type { ModelQuestion, ModelService } from '../../../api/types.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { LocalModels } from './local-models.tsx'
import { DiscoveredModels } from './discovered-models.tsx'
import { isShowable, readPasted } from './pasted.ts'
import { declaredKeys } from '../../../lib/fields.ts'

const { form: formText, look: words } = settingsText.models

/** The page of each provider on which keys are created, in the order in which the providers are offered. */
const KEY_PAGES: Record<ModelService, string> = {
  anthropic: 'https://console.anthropic.com/settings/keys',
  openai: 'https://platform.openai.com/api-keys',
  google: 'https://aistudio.google.com/apikey',
  openrouter: 'https://openrouter.ai/settings/keys',
  groq: 'https://console.groq.com/keys',
  xai: 'https://console.x.ai',
  deepseek: 'https://platform.deepseek.com/api_keys',
}
const KEY_SERVICES = declaredKeys(KEY_PAGES)
/**
 * If the provider lists at most this many models, projects can choose among all of them; otherwise they get only the
 * model chosen in this form.
 */
const MODELS_OFFERED_MAX = 20

/** The input so far. Only this form holds the key, and the service never returns it. */
interface EnteredKey {
  pasted: string
  serverKey: string
  service: ModelService | ''
}
const NOTHING_ENTERED: EnteredKey = { pasted: '', serverKey: '', service: '' }

/** Connects a model from a pasted key or address. Looks up and tests the models before saving anything. */
export function ModelDiscovery(props: { children?: ReactNode; onClose: () => void; onSaved: () => void }) {
  const client = useQueryClient()
  const [entered, setEntered] = useState(NOTHING_ENTERED)
  const [found, setFound] = useState<{ by: EnteredKey; finding: ModelFinding } | null>(null)
  const [model, setModel] = useState('')
  const look = useMutation({
    mutationFn: ({ by, model }: { by: EnteredKey; model?: string }) =>
      discoverModels({ ...questionOf(by), ...(model !== undefined && { model }) }),
    gcTime: 0,
  })
  const lookUp = (by: EnteredKey, tried?: string) =>
    look.mutate(
      { by, ...(tried !== undefined && { model: tried }) },
      {
        // Unlike a callback of `useMutation`, this callback runs only for the latest request, and not for an earlier one that ends later.
        onSuccess: (finding) => {
          setFound({ by, finding })
          if (tried === undefined) setModel(finding.test.model)
        },
      },
    )
  const save = useMutation({
    mutationFn: createModelConnection,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.models.all }),
    gcTime: 0,
  })
  // Ignore a result when the input has changed since the request.
  const isCurrent = look.variables?.by === entered
  const finding = found?.by === entered ? found.finding : null
  const failure = look.isError && isCurrent ? describeFailure(look.error) : null
  const isLooking = look.isPending && isCurrent
  const isAddress = 'baseUrl' in readPasted(entered.pasted)
  const enter = (change: Partial<EnteredKey>, isComplete = false) => {
    const by = { ...entered, ...change }
    setEntered(by)
    save.reset()
    if (isComplete) lookUp(by)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (finding === null) return lookUp(entered)
    const form = event.currentTarget
    const data = new FormData(form)
    const names = finding.models.map(({ id }) => id)
    const connection = {
      provider: finding.provider,
      label: String(data.get('label') ?? '').trim(),
      defaultModel: model,
      models: names.length <= MODELS_OFFERED_MAX ? names : [model],
      ...(finding.baseUrl !== null && { baseUrl: finding.baseUrl }),
      ...keyArgument(entered),
      ...(data.has('isDefault') && { isDefault: true as const }),
    }
    save.mutate(connection, { onSuccess: props.onSaved, onError: (error) => focusRefusedField(form, error) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <p role="status" className="sr-only">
        {isLooking ? words.looking : failure ? failure.sentence : finding && findingText(finding)}
      </p>
      <TextField
        label={words.pasted}
        type={isShowable(entered.pasted) ? 'text' : 'password'}
        value={entered.pasted}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        onChange={(event) => enter({ ...NOTHING_ENTERED, pasted: event.target.value })}
        onPaste={(event) => {
          const pasted = pastedWhole(event)
          if (pasted === null) return
          event.preventDefault()
          enter({ ...NOTHING_ENTERED, pasted }, true)
        }}
        {...pastedNote(failure, isAddress)}
      />
      {isAddress && (failure?.field === 'key' || entered.serverKey !== '') && (
        <TextField
          label={words.serverKey}
          type="password"
          autoComplete="off"
          value={entered.serverKey}
          onChange={(event) => enter({ serverKey: event.target.value })}
          {...(failure?.field === 'key' && { error: failure.sentence })}
        />
      )}
      {!isAddress && (concernsKey(failure) || entered.service !== '') && (
        <NativeSelect
          label={words.service}
          value={entered.service}
          options={[
            { value: '', label: words.chooseService },
            ...KEY_SERVICES.map((value) => ({ value, label: words.services[value] })),
          ]}
          onChange={(service) => enter({ service }, service !== '')}
        />
      )}
      {failure && !isAtField(failure, isAddress) && <FailureNote title={words.failed} error={look.error} />}
      {finding ? (
        <DiscoveredModels
          finding={finding}
          model={model}
          isTrying={isLooking}
          saveFailure={save.isError ? save.error : null}
          onModel={(chosen) => {
            setModel(chosen)
            lookUp(entered, chosen)
          }}
        />
      ) : (
        <>
          <KeyLinks />
          <LocalModels onChoose={(baseUrl) => enter({ ...NOTHING_ENTERED, pasted: baseUrl }, true)} />
        </>
      )}
      {props.children}
      <FormFooter
        submit={finding ? formText.submit : words.submit}
        busy={finding ? save.isPending : isLooking}
        onClose={props.onClose}
      />
    </form>
  )
}

function KeyLinks() {
  return (
    <p className="text-[13px] leading-6 text-kumo-subtle">
      {words.getKey}{' '}
      {KEY_SERVICES.map((service) => (
        <a
          key={service}
          href={KEY_PAGES[service]}
          target="_blank"
          rel="noopener noreferrer"
          className="mr-2.5 inline-block rounded-sm text-kumo-link underline underline-offset-3"
        >
          {words.services[service]}
        </a>
      ))}
    </p>
  )
}

/**
 * Returns the request that looks up models: with the pasted key, or with the pasted address of a server and the key in
 * the second field.
 */
function questionOf(entered: EnteredKey): ModelQuestion {
  const read = readPasted(entered.pasted)
  const address = 'baseUrl' in read && { baseUrl: read.baseUrl }
  return { ...address, ...keyArgument(entered), ...(entered.service !== '' && { service: entered.service }) }
}

function keyArgument({ pasted, serverKey }: EnteredKey): { key?: string } {
  const read = readPasted(pasted)
  const key = 'key' in read ? read.key : serverKey.trim()
  return key === '' ? {} : { key }
}

const concernsKey = (failure: Failure | null) => failure?.field === 'key' || failure?.field === 'service'

/** Whether a field shows the failure. With a pasted address, a failure of the key is shown at the second field. */
const isAtField = (failure: Failure, isAddress: boolean) =>
  failure.field === 'baseUrl' || failure.field === 'key' || (failure.field === 'service' && !isAddress)

function pastedNote(failure: Failure | null, isAddress: boolean) {
  const isHere = failure?.field === 'baseUrl' || (concernsKey(failure) && !isAddress)
  return failure && isHere ? { error: failure.sentence } : { description: words.pastedHint }
}

const findingText = ({ name, models, test }: ModelFinding): string =>
  `${words.found(name, models.length)}. ${
    test.ok ? words.answered(test.model, formatDuration(test.latencyMs ?? 0)) : words.noAnswer(test.model)
  }.`

/** The new value of the field when the paste replaces the whole value; null when the paste is inserted into other text. */
function pastedWhole({
  clipboardData,
  currentTarget: field,
}: ClipboardEvent<HTMLInputElement>): string | null {
  const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length
  const text = clipboardData.getData('text').trim()
  return isWhole && text !== '' ? text : null
}
