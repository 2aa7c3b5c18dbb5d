import { XIcon } from '@phosphor-icons/react'
import { enumLabel } from '@slipway/runtime/ui/words.ts'
import { type FormEvent, useState } from 'react'
import { dataText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { type FieldSchema, fieldLabel } from './record-fields.ts'
import {
  type Filter,
  recordFilter,
  describeFilter,
  isIndexed,
  type Test,
  testsOf,
  withFilter,
} from './record-order.ts'
import { RefField } from './ref-field.tsx'

interface FiltersProps {
  projectId: string
  fields: FieldSchema[]
  filters: Filter[]
  onChange: (filters: Filter[]) => void
}

export function ActiveFilters({
  fields,
  filters,
  names,
  onChange,
}: Omit<FiltersProps, 'projectId'> & { names: ReadonlyMap<string, string> }) {
  if (filters.length === 0) return null
  return (
    <ul className="mb-3 flex flex-wrap gap-2">
      {filters.map((filter) => {
        const sentence = describeFilter(filter, fields, names.get(`${filter.field} ${filter.value}`))
        return (
          <li
            key={sentence}
            className="flex max-w-full items-center gap-1 rounded-full bg-kumo-fill py-0.5 pr-1 pl-3 text-[13px]"
          >
            <span className="truncate">{sentence}</span>
            <Button
              variant="ghost"
              size="sm"
              shape="circle"
              icon={<XIcon />}
              aria-label={dataText.filterRemove(sentence)}
              onClick={() => onChange(filters.filter((one) => one !== filter))}
            />
          </li>
        )
      })}
    </ul>
  )
}

export function FilterForm({ projectId, fields, filters, onChange }: FiltersProps) {
  const offered = fields.filter(isIndexed)
  const [name, setName] = useState(offered[0]?.name ?? '')
  const field = offered.find((one) => one.name === name) ?? offered[0]
  const [test, setTest] = useState<Test>('eq')
  const [value, setValue] = useState('')
  const [isAsked, setAsked] = useState(false)
  if (field === undefined) return null
  const tests = testsOf(field)
  const fitting = tests.includes(test) ? test : 'eq'
  const filter = recordFilter(field, fitting, field.type === 'boolean' && value === '' ? 'true' : value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (filter !== null) onChange(withFilter(filters, filter))
  }
  const error = isAsked && filter === null ? dataText.problems[problemOfType(field)] : undefined
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={dataText.filter}
      className="mb-3 grid items-start gap-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:grid-cols-[1fr_1fr_1.5fr_auto]"
    >
      <NativeSelect
        label={dataText.filterField}
        value={field.name}
        options={offered.map((one) => ({ value: one.name, label: fieldLabel(one) }))}
        onChange={(next) => {
          setName(next)
          setValue('')
          setAsked(false)
        }}
      />
      <NativeSelect
        label={dataText.filterTest}
        value={fitting}
        options={tests.map((one) => ({ value: one, label: dataText.tests[one] }))}
        onChange={setTest}
      />
      <ValueField
        key={field.name}
        projectId={projectId}
        field={field}
        value={value}
        error={error}
        onChange={setValue}
      />
      <Button type="submit" variant="primary" className="sm:mt-[26px]">
        {dataText.filterAdd}
      </Button>
    </form>
  )
}

const problemOfType = ({ type }: FieldSchema) =>
  type === 'number' || type === 'integer' || type === 'date' ? type : ('required' as const)

function ValueField(props: {
  projectId: string
  field: FieldSchema
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const { field, value, error, onChange } = props
  if (field.type === 'boolean')
    return (
      <NativeSelect
        label={dataText.filterValue}
        value={value === '' ? 'true' : value}
        options={[
          { value: 'true', label: dataText.yes },
          { value: 'false', label: dataText.no },
        ]}
        onChange={onChange}
      />
    )
  if (field.type === 'enum' && field.values !== undefined)
    return (
      <NativeSelect
        label={dataText.filterValue}
        value={value}
        options={[
          { value: '', label: dataText.filterEmpty },
          ...field.values.map((choice) => ({ value: choice, label: enumLabel(choice) })),
        ]}
        onChange={onChange}
      />
    )
  if (field.type === 'ref' && field.ref !== undefined)
    return (
      <RefField
        projectId={props.projectId}
        target={field.ref}
        partition="app"
        field={{ name: field.name, title: dataText.filterValue }}
        value={value}
        hint=""
        error={error}
        onChange={onChange}
      />
    )
  return (
    <TextField
      label={<span className="text-[13px]">{dataText.filterValue}</span>}
      {...(error !== undefined && { error })}
      value={value}
      autoComplete="off"
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={field.type === 'integer' ? 'numeric' : field.type === 'number' ? 'decimal' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
