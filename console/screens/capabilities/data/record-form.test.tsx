import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { act, screen } from '@testing-library/react'
import { field, isShown, serve, show, write } from '../../../testing/console.tsx'
import { type FieldSchema, fieldLabel } from './record-fields.ts'
import { RecordForm } from './record-form.tsx'

const schema = (name: string, type: string, part: Partial<FieldSchema> = {}): FieldSchema => ({
  name,
  type,
  required: false,
  ...part,
})

/**
 * Shows a form with the texts of `first`. Returns the form's current texts, and a function that replaces the texts as a later read does.
 */
function renderForm(
  fields: FieldSchema[],
  first: Record<string, string> = {},
  errors: Record<string, string> = {},
) {
  let texts = first
  let replace = (_texts: Record<string, string>) => {}
  function Host() {
    const [now, set] = useState(first)
    texts = now
    replace = set
    return (
      <RecordForm
        projectId="prj_1"
        partition="app"
        fields={fields}
        texts={now}
        errors={errors}
        onChange={(name, value) => set({ ...now, [name]: value })}
      />
    )
  }
  show(<Host />)
  return { texts: () => texts, refetched: (next: Record<string, string>) => act(() => replace(next)) }
}
const noteOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent

describe('the form of a record', () => {
  test('a record field of every type shows its error at its control', () => {
    serve({})
    const fields = [
      schema('title', 'text'),
      schema('notes', 'text', { as: 'long' }),
      schema('isDone', 'boolean'),
      schema('status', 'enum', { values: ['open'] }),
      schema('old', 'enum'),
      schema('project', 'ref', { ref: 'projects' }),
      schema('tags', 'list'),
      schema('extra', 'json'),
      schema('height', 'integer'),
    ]
    renderForm(fields, {}, Object.fromEntries(fields.map(({ name }) => [name, `Wrong ${name}.`])))
    for (const { name } of fields) {
      assert.equal(isShown(`Wrong ${name}.`), true, name)
      const label = fieldLabel({ name })
      assert.equal(noteOf(label), `Wrong ${name}.`, `the error of ${name} is its accessible description`)
      assert.equal(field(label).getAttribute('aria-invalid'), 'true', name)
    }
    const marked = ['Title', 'Notes', 'Is done', 'Old', 'Project', 'Tags', 'Extra', 'Height']
    for (const label of marked) {
      assert.equal(field(label).getAttribute('aria-invalid'), 'true', label)
      assert.match(noteOf(label) ?? '', /^Wrong/, label)
    }
  })

  test('a text of a record that becomes long while it is typed keeps its single-line field and the focus', () => {
    const { texts } = renderForm([schema('title', 'text')])
    const input = field('Title')
    input.focus()
    write('Title', 'x'.repeat(120))
    write('Title', 'x'.repeat(121))
    assert.equal(field('Title').tagName, 'INPUT')
    assert.ok(document.activeElement === input)
    assert.deepEqual(texts(), { title: 'x'.repeat(121) })
  })

  test('a text of a record that becomes short while it is edited keeps its multi-line field and the focus', () => {
    renderForm([schema('title', 'text')], { title: 'x'.repeat(121) })
    const area = field('Title')
    assert.equal(area.tagName, 'TEXTAREA')
    area.focus()
    write('Title', 'x')
    assert.ok(document.activeElement === area)
  })

  test('a stored text with line breaks gets a multi-line field, even when the line breaks arrive with a later read', () => {
    const { refetched } = renderForm([schema('title', 'text'), schema('other', 'text')], {
      title: 'a\nb',
      other: 'a',
    })
    assert.deepEqual([field('Title').tagName, field('Other').tagName], ['TEXTAREA', 'INPUT'])
    refetched({ title: 'a', other: 'a\nb' })
    assert.deepEqual([field('Title').value, field('Other').value], ['a', 'a\nb'])
    assert.equal(field('Other').tagName, 'TEXTAREA')
  })

  test("a record's date has a date picker, but a date with a time has a text field, because a picker would drop the time", () => {
    const { texts } = renderForm([schema('due', 'date'), schema('at', 'date')], {
      at: '2026-12-01T10:00:00Z',
    })
    assert.deepEqual([field('Due').type, field('At').type], ['date', 'text'])
    assert.equal(noteOf('At'), 'A date like 2026-11-20, or with a time')
    write('Due', '2026-12-24')
    assert.deepEqual(texts(), { at: '2026-12-01T10:00:00Z', due: '2026-12-24' })
  })

  test('a stored value that a choice field no longer offers stays selected, and can be replaced', () => {
    const { texts } = renderForm([schema('status', 'enum', { values: ['open', 'in_review'] })], {
      status: 'lost',
    })
    assert.equal(field('Status').value, 'lost')
    const options = screen.getAllByRole('option').map((option) => option.textContent)
    assert.deepEqual(options, ['Not set', 'Open', 'In review', 'Lost'])
    write('Status', 'open')
    assert.deepEqual(texts(), { status: 'open' })
  })

  test('the hint of an amount field explains its smallest unit, and the hint of a required field says that it is required', () => {
    renderForm([
      schema('price', 'integer', { currency: 'jpy' }),
      schema('fee', 'integer', { currency: 'eur', required: true }),
      schema('title', 'text', { required: true }),
    ])
    assert.equal(noteOf('Price'), 'In the smallest unit: 1250 is ¥1,250')
    assert.equal(noteOf('Fee'), 'In the smallest unit: 1250 is €12.50, required')
    assert.equal(noteOf('Title'), 'Required')
  })
})
