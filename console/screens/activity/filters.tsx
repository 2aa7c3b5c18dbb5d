import { useId, useState } from 'react'
import type { ActivitySearch } from '../../routes.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'
import { ProjectPicker } from '../settings/project-picker.tsx'

/** The fields that filter the log by project and days. Each choice is in the URL, so a filtered log can be linked to. */
export function Filters(props: { search: ActivitySearch; onChange: (to: ActivitySearch) => void }) {
  const { search, onChange } = props
  return (
    <div role="search" className="mb-5 grid grid-cols-2 items-end gap-3 sm:flex">
      <div className="col-span-2 sm:w-64">
        {/* The activity log outlives projects, so the filter may name a deleted project. The picker then shows its id. */}
        <ProjectPicker
          label={cloudText.activity.project}
          allLabel={cloudText.activity.allProjects}
          value={search.project ?? null}
          onChange={(project) => onChange({ ...search, project: project || undefined })}
        />
      </div>
      <DayField
        label={cloudText.activity.from}
        value={search.from}
        max={search.to}
        onChange={(from) => onChange({ ...search, from })}
      />
      <DayField
        label={cloudText.activity.to}
        value={search.to}
        min={search.from}
        onChange={(to) => onChange({ ...search, to })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="ghost" onClick={() => onChange({})}>
          {cloudText.activity.clear}
        </Button>
      )}
    </div>
  )
}

/** `readActivitySearch` leaves out earlier days. */
const DAY_MIN = '1970-01-01'

function DayField(props: {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | undefined) => void
}) {
  const id = useId()
  // A day whose year is being typed, such as `0202-01-31` on the way to `2026-01-31`. It does not filter the log yet.
  const [typed, setTyped] = useState('')
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {props.label}
      </label>
      <input
        id={id}
        type="date"
        value={typed || (props.value ?? '')}
        min={props.min ?? DAY_MIN}
        max={props.max}
        onChange={(event) => {
          const day = event.target.value
          const isPartial = day !== '' && day < DAY_MIN
          setTyped(isPartial ? day : '')
          if (!isPartial) props.onChange(day || undefined)
        }}
        onBlur={() => setTyped('')}
        className={`${FIELD_STYLE} h-9 ring-kumo-line`}
      />
    </div>
  )
}
