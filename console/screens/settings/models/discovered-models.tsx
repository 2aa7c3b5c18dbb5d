import type { ModelFinding } from '@slipway/sdk/client/types.gen.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'

const { form, look: words } = settingsText.models

export function DiscoveredModels(props: {
  finding: ModelFinding
  model: string
  isTrying: boolean
  saveFailure: Error | null
  onModel: (model: string) => void
}) {
  const { finding, model, saveFailure } = props
  const failure = saveFailure && describeFailure(saveFailure)
  const test = !props.isTrying && finding.test.model === model ? finding.test : null
  return (
    <>
      {failure && failure.field !== 'label' && (
        <FailureNote title={form.failed} error={saveFailure} takeFocus />
      )}
      <section
        aria-label={words.found(finding.name, finding.models.length)}
        className="animate-enter space-y-3 rounded-lg bg-kumo-recessed p-3.5 ring-1 ring-kumo-line"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 font-medium break-all text-kumo-strong">
            {words.found(finding.name, finding.models.length)}
          </p>
          {props.isTrying && <StateDot tone="busy">{settingsText.models.testing}</StateDot>}
          {test && <TestResult test={test} />}
        </div>
        <NativeSelect
          label={words.model}
          value={model}
          options={finding.models.map(({ id, recommended }) => ({
            value: id,
            label: recommended ? words.recommended(id) : id,
          }))}
          onChange={props.onModel}
        />
        {test && test.error !== null && (
          <div className="space-y-1 text-[13px]">
            <p className="break-words">{test.error}</p>
            <p className="text-kumo-subtle">{words.noAnswerHint}</p>
          </div>
        )}
      </section>
      <TextField
        name="label"
        label={form.label}
        defaultValue={finding.name}
        maxLength={80}
        required
        {...(failure?.field === 'label' ? { error: failure.sentence } : { description: form.labelHint })}
      />
      <label className="flex min-h-9 cursor-pointer items-center gap-2.5">
        <input type="checkbox" name="isDefault" defaultChecked className="size-4" />
        {form.isDefault}
      </label>
    </>
  )
}

function TestResult({ test }: { test: ModelFinding['test'] }) {
  if (!test.ok) return <StateDot tone="bad">{settingsText.models.testFailed}</StateDot>
  return <StateDot tone="good">{words.answeredIn(formatDuration(test.latencyMs ?? 0))}</StateDot>
}
