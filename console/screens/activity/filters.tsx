import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { projectsQuery } from '../../api/project/projects.ts'
import type { ActivitySearch } from '../../routes.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { NativeSelect } from '../../ui/controls/native-select.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'

/** The fields that filter the log by project and days. Each choice is in the URL, so a filtered log can be linked to. */
export function Filters(props: { search: ActivitySearch; onChange: (to: ActivitySearch) => void }) {
  const { search, onChange } = props
  const projects = useInfiniteQuery(projectsQuery())
  const known = projects.data?.pages.flatMap((page) => page.items) ?? []
  const options = known.map(({ id, name }) => ({ value: id, label: name }))
  // The activity log outlives projects, so the filter may name a deleted project, which is not in the list.
  if (search.project !== undefined && !known.some(({ id }) => id === search.project))
    options.unshift({ value: search.project, label: search.project })
  return (
    <div role="search" className="mb-5 grid grid-cols-2 items-end gap-3 sm:flex">
      <div className="col-span-2 sm:w-64">
        <NativeSelect
          label={cloudText.activity.project}
          value={search.project ?? ''}
          options={[{ value: '', label: cloudText.activity.allProjects }, ...options]}
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

function DayField(props: {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | undefined) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {props.label}
      </label>
      <input
        id={id}
        type="date"
        value={props.value ?? ''}
        min={props.min ?? '1970-01-01'}
        max={props.max}
        onChange={(event) => props.onChange(event.target.value || undefined)}
        className={`${FIELD_STYLE} h-9 ring-kumo-line`}
      />
    </div>
  )
}
