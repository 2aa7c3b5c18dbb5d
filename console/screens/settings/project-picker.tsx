import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { truncateSearch } from '../../api/project/project-search.ts'
import { projectQuery, projectsQuery } from '../../api/project/projects.ts'
import { settingsText } from '../../text/settings.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { NativeSelect } from '../../ui/controls/native-select.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'

/** Chooses a project of the organization. There is a search field when the list has more than one page. */
export function ProjectPicker(props: {
  label: string
  /** The label of an option for all projects, whose value is empty. Without the label there is no such option. */
  allLabel?: string
  value: string | null
  onChange: (projectId: string) => void
}) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(truncateSearch(typed))
  const all = useInfiniteQuery(projectsQuery())
  const found = useInfiniteQuery(projectsQuery(q))
  const projects = (found.data ?? all.data)?.pages.flatMap((page) => page.items) ?? []
  const isListed = projects.some(({ id }) => id === props.value)
  // The chosen project stays in the list, even when the search does not find it.
  const chosen = useQuery({ ...projectQuery(props.value ?? ''), enabled: Boolean(props.value) && !isListed })
  const unlisted = props.value && { value: props.value, label: chosen.data?.name ?? props.value }
  const empty = {
    value: '',
    label: props.allLabel ?? settingsText.projectPicker[projects.length === 0 ? 'none' : 'choose'],
  }
  if (all.isError) return <FailureNote error={all.error} onRetry={() => void all.refetch()} />
  return (
    <div className="grid gap-3">
      {all.hasNextPage && (
        <TextField
          type="search"
          label={settingsText.projectPicker.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <NativeSelect
        label={props.label}
        value={props.value ?? ''}
        options={[
          ...(props.allLabel !== undefined || !props.value ? [empty] : []),
          ...(unlisted && !isListed ? [unlisted] : []),
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={props.onChange}
      />
    </div>
  )
}
