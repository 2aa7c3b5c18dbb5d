import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { field, isShown, press, show, write } from '../../../testing/console.tsx'
import type { FieldSchema } from './record-fields.ts'
import { ActiveFilters, FilterForm } from './record-filters.tsx'
import type { Filter } from './record-order.ts'

const fields: FieldSchema[] = [
  { name: 'title', type: 'text', required: false, index: true },
  { name: 'price', type: 'integer', required: false, index: true },
  { name: 'isSold', type: 'boolean', required: false, index: true },
  { name: 'notes', type: 'text', required: false },
]

function openForm(filters: Filter[] = []) {
  const changes: Filter[][] = []
  show(
    <FilterForm
      projectId="prj_1"
      fields={fields}
      filters={filters}
      onChange={(next) => changes.push(next)}
    />,
  )
  return changes
}
const optionsOf = (label: string) =>
  [...(field(label) as unknown as HTMLSelectElement).options].map(({ value }) => value)

describe('the filters of records', () => {
  test('records can be filtered only by indexed fields', () => {
    openForm()
    assert.deepEqual(optionsOf('Field'), ['title', 'price', 'isSold'])
  })

  test('a collection without indexed fields has no filter form', () => {
    show(
      <FilterForm
        projectId="prj_1"
        fields={[{ name: 'notes', type: 'text', required: false }]}
        filters={[]}
        onChange={() => {}}
      />,
    )
    assert.equal(isShown('Apply filter'), false)
  })

  test("the filter form of records offers the comparisons of the chosen field's type", () => {
    openForm()
    assert.deepEqual(optionsOf('Test'), ['eq', 'ne', 'prefix'])
    write('Test', 'prefix')
    write('Field', 'price')
    assert.deepEqual(optionsOf('Test'), ['eq', 'ne', 'gte', 'lte'])
    assert.equal(field('Test').value, 'eq')
  })

  test('a filter value of the wrong type is reported at its field and not applied', () => {
    const changes = openForm()
    write('Field', 'price')
    write('Value', 'cheap')
    press('Apply filter')
    assert.deepEqual(changes, [])
    assert.equal(field('Value').getAttribute('aria-invalid'), 'true')
  })

  test('a new filter of records replaces the filter with the same field and comparison', () => {
    const kept: Filter = { field: 'title', test: 'prefix', value: 'A' }
    const changes = openForm([kept, { field: 'price', test: 'gte', value: 5 }])
    write('Field', 'price')
    write('Test', 'gte')
    write('Value', '12')
    press('Apply filter')
    assert.deepEqual(changes, [[kept, { field: 'price', test: 'gte', value: 12 }]])
  })

  test('a filter by a boolean field compares with true when no value was chosen', () => {
    const changes = openForm()
    write('Field', 'isSold')
    press('Apply filter')
    assert.deepEqual(changes, [[{ field: 'isSold', test: 'eq', value: true }]])
  })

  test('each active filter of records has a button that removes only this filter', () => {
    const filters: Filter[] = [
      { field: 'title', test: 'prefix', value: 'A' },
      { field: 'price', test: 'lte', value: 9 },
    ]
    const changes: Filter[][] = []
    show(
      <ActiveFilters
        fields={fields}
        filters={filters}
        names={new Map()}
        onChange={(next) => changes.push(next)}
      />,
    )
    press(/^Remove filter: .*9/)
    assert.deepEqual(changes, [[filters[0]]])
  })
})
