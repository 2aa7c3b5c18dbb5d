import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { type FormEvent, useState } from 'react'
import { meterText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { SaveFailure } from '../tab-parts/save-failure.tsx'
import { useSetCapability } from '../use-set-capability.ts'

interface LimitFormProps {
  projectId: string
  meter: { key: string; limit: number }
  onDone: () => void
}

/** The limits that were changed in the console, by meter. A save sends all of these limits. */
export const limitsOf = ({ settings }: Pick<Capability, 'settings'>) =>
  (settings['limits'] ?? {}) as Record<string, number>

/** Changes the limit of one meter without a new build. */
export function LimitForm({ projectId, meter, onDone }: LimitFormProps) {
  const save = useSetCapability(projectId, 'meter')
  const [typed, setTyped] = useState(String(meter.limit))
  const isNumber = /^\d+(?:\.\d+)?$/.test(typed.trim()) && Number.isFinite(Number(typed))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNumber || save.isPending) return
    const limit = Number(typed)
    save.mutate(
      (stored) => ({
        enabled: stored.enabled,
        settings: { limits: { ...limitsOf(stored), [meter.key]: limit } },
      }),
      { onSuccess: onDone },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2 px-4 pb-4">
      <div className="w-40">
        <TextField
          label={meterText.limitOf(meter.key)}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={typed}
          {...(!isNumber && { error: meterText.notNumber })}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit" variant="primary" loading={save.isPending}>
        {meterText.save}
      </Button>
      <Button onClick={onDone}>{meterText.cancel}</Button>
      {save.isError && <SaveFailure error={save.error} />}
    </form>
  )
}
