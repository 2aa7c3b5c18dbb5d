import { useQuery } from '@tanstack/react-query'
import {
  collectionsQuery,
  findRecords,
  namedRecordsQuery,
  readRecordPage,
} from '../../../api/project/capabilities.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { dataText } from './text.en.ts'
import { type PickedRecord, Picker } from './picker.tsx'
import { fieldLabel, recordName } from './record-fields.ts'
import type { CollectionSchema, DataRecord } from './record-grid.tsx'

const RESULTS_MAX = 20

/**
 * Returns the label of a record: the value of the collection's label field, or of the first field with a
 * value.
 */
export const nameIn = (info: CollectionSchema | undefined, record: DataRecord): string =>
  recordName(record, nameFieldsOf(info))

const nameFieldsOf = (info: CollectionSchema | undefined): string[] => [
  ...(info?.label ? [info.label] : []),
  ...(info?.fields ?? []).map(({ name }) => name),
]

interface RefFieldProps {
  projectId: string
  target: string
  /** The partition of the record that is edited. Only records of the same partition can be chosen. */
  partition: string
  field: { name: string; title?: string | undefined }
  value: string
  hint: string
  error: string | undefined
  onChange: (id: string) => void
}

export function RefField({
  projectId,
  target,
  partition,
  field,
  value,
  hint,
  error,
  onChange,
}: RefFieldProps) {
  const info = useQuery(collectionsQuery(projectId)).data?.find(({ name }) => name === target)
  const chosen = useQuery({ ...namedRecordsQuery(projectId, target, [value]), enabled: value !== '' })
  const [record] = chosen.data?.items ?? []
  const isSearched = info?.fields.some(({ type }) => type === 'text' || type === 'enum') ?? false
  const find = (q: string) => ({
    queryKey: [...queryKeys.records.found(projectId, target, q), 'pick', partition, nameFieldsOf(info)],
    queryFn: async (): Promise<PickedRecord[]> => {
      const found =
        q === '' || !isSearched
          ? (
              await readRecordPage(
                { projectId, collection: target },
                { limit: RESULTS_MAX, cursor: '', partition },
              )
            ).items
          : await findRecords(projectId, target, q)
      const near = found.filter((one) => one.partition === partition)
      return near.slice(0, RESULTS_MAX).map((one) => ({ id: one.id, label: nameIn(info, one) }))
    },
  })
  const labelOf = () => {
    if (record !== undefined) return nameIn(info, record)
    if (chosen.data !== undefined) return dataText.pick.unknown(value)
    return chosen.isError ? value : '…'
  }
  return (
    <Picker
      label={fieldLabel(field)}
      hint={hint}
      error={error}
      value={value === '' ? null : { id: value, label: labelOf() }}
      find={find}
      onChange={(picked) => onChange(picked?.id ?? '')}
    />
  )
}
