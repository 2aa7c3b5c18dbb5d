import { useId } from 'react'
import type { Policy } from '../../../api/organization/security.ts'
import { securityText } from '../../../text/security.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'

export function Switch(props: {
  label: string
  hint: string
  /** Why this organization cannot switch the rule on. */
  note?: string | undefined
  checked: boolean
  disabled: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex gap-3 p-4">
      <input
        id={id}
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.onChange(event.target.checked)}
        className="mt-0.5 size-[18px] shrink-0 cursor-pointer disabled:cursor-not-allowed"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer font-medium text-kumo-strong">
          {props.label}
        </label>
        <div id={`${id}-hint`} className="text-[13px] text-kumo-subtle">
          <p>{props.hint}</p>
          {props.note && <p className="mt-1 text-kumo-warning">{props.note}</p>}
        </div>
      </div>
    </div>
  )
}

const DAY_CHOICES = ['none', '30', '7', '1'] as const
type DayChoice = (typeof DAY_CHOICES)[number]
const LIFETIME_DAYS: Record<DayChoice, Policy['sessionLifetimeDays']> = {
  none: null,
  '30': 30,
  '7': 7,
  '1': 1,
}

export function LifetimeSelect(props: {
  value: Policy['sessionLifetimeDays']
  disabled: boolean
  onChange: (days: Policy['sessionLifetimeDays']) => void
}) {
  return (
    <div className="space-y-1.5 p-4">
      <div className="sm:max-w-64">
        <NativeSelect
          label={securityText.lifetime.label}
          value={DAY_CHOICES.find((choice) => LIFETIME_DAYS[choice] === props.value) ?? 'none'}
          options={DAY_CHOICES.map((value) => ({ value, label: securityText.lifetime.options[value] }))}
          disabled={props.disabled}
          onChange={(choice) => props.onChange(LIFETIME_DAYS[choice])}
        />
      </div>
      <p className="text-[13px] text-kumo-subtle">{securityText.lifetime.hint}</p>
    </div>
  )
}
