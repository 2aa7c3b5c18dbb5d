import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ComponentType } from 'react'
import {
  act,
  fireEvent,
  isShown,
  newTeam,
  press,
  record,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import type { StoredRecord } from '../../data/frames.ts'
import { manifest } from '../../manifest.gen.ts'
import { RecordForm } from './form.tsx'

manifest.collections['plots'] = {
  title: 'Plots',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: {
    name: { type: 'text', required: true },
    soil: { type: 'enum', values: ['sand', 'clay'], default: 'sand' },
    width: { type: 'number', max: 50 },
    shaded: { type: 'boolean' },
    crops: { type: 'list', max: 2 },
    notes: { type: 'json' },
    planted: { type: 'date' },
  },
}

const MUTATE = 'POST /_app/data/mutate'
const HILL = record('hill', { name: 'Hill', soil: 'clay', width: 3, shaded: true })
// A cast, because the types of the props allow only the collections of a generated app.
const Form = RecordForm as unknown as ComponentType<Record<string, unknown>>

interface MutateBody {
  ops: { op: string; id?: string; fields?: object }[]
}

/** Responds to a write with the stored record. */
const store = ({ body }: { body: unknown }) => {
  const [op] = (body as MutateBody).ops
  return { seq: 6, records: [record(op?.id ?? '', op?.fields ?? {})] }
}

const FIELDS = ['name', 'soil', 'width', 'shaded']

function renderForm(
  props: Record<string, unknown> = {},
  answer: (call: { body: unknown }) => unknown = store,
) {
  const calls = serveApp({ [MUTATE]: answer })
  const defaults = { collection: 'plots', partition: newTeam(), fields: FIELDS }
  const { rerender } = render(<Form {...defaults} {...props} />)
  return {
    /** The operations of the requests, without the ids that the page made. */
    ops: () =>
      calls[MUTATE]?.flatMap(({ body }) => (body as MutateBody).ops).map(({ op, fields }) => [op, fields]),
    rerender: (more: Record<string, unknown>) => rerender(<Form {...defaults} {...props} {...more} />),
  }
}

const values = () => ({
  name: screen.getByLabelText<HTMLInputElement>('Name').value,
  soil: screen.getByLabelText<HTMLSelectElement>('Soil').value,
  width: screen.getByLabelText<HTMLInputElement>('Width').value,
  shaded: screen.getByLabelText<HTMLInputElement>('Shaded').checked,
})
const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const saved = () => waitFor(() => assert.ok(isShown('Saved')))
const described = (label: string) => {
  const control = screen.getByLabelText(label)
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
  return [control.getAttribute('aria-invalid'), ...ids.map((id) => document.getElementById(id)?.textContent)]
}

describe('a form for the records of an app', () => {
  test('a new record is stored with the typed values and the defaults, and the form is then empty again', async () => {
    const stored: StoredRecord[] = []
    const { ops } = renderForm({ onSaved: (row: StoredRecord) => stored.push(row) })
    write('Name', 'Hill')
    write('Width', '2.5')
    press('Add record')
    await saved()
    assert.deepEqual(ops(), [['create', { name: 'Hill', soil: 'sand', width: 2.5, shaded: false }]])
    assert.deepEqual(
      stored.map(({ name, width }) => [name, width]),
      [['Hill', 2.5]],
    )
    assert.deepEqual(values(), { name: '', soil: 'sand', width: '', shaded: false })
  })

  test('a form with invalid values sends nothing, shows an error at each of them, and focuses the first', () => {
    const { ops } = renderForm()
    write('Name', '  ')
    write('Width', '51')
    press('Add record')
    assert.deepEqual(described('Name'), ['true', 'This is required'])
    assert.deepEqual(described('Width'), ['true', 'Write at most 50.'])
    assert.ok(document.activeElement === screen.getByLabelText('Name'))
    write('Name', 'Hill')
    assert.deepEqual(described('Name'), ['false'])
    assert.deepEqual(ops(), [])
  })

  test('a form with text that is not a number in a number field is not sent, and keeps the text', () => {
    const { ops } = renderForm()
    write('Name', 'Hill')
    write('Width', 'wide')
    press('Add record')
    assert.deepEqual(described('Width'), ['true', 'Write a number, in digits.'])
    assert.equal(values().width, 'wide')
    assert.deepEqual(ops(), [])
  })

  test('a record form shows a rejected value at its field and any other error below the form, and keeps the values', async () => {
    const answers = [
      new RefusedResponse('invalid', 'name: is taken', 'name'),
      new RefusedResponse('forbidden', 'Only members of the team may add plots.'),
    ]
    renderForm({}, () => answers.shift())
    write('Name', 'Hill')
    press('Add record')
    await waitFor(() => assert.deepEqual(described('Name'), ['true', 'This is taken']))
    press('Add record')
    await waitFor(() =>
      assert.equal(screen.getByRole('alert').textContent, 'Only members of the team may add plots.'),
    )
    assert.deepEqual(described('Name'), ['false'])
    assert.deepEqual(values(), { name: 'Hill', soil: 'sand', width: '', shaded: false })
  })

  test('a checkbox of a record form whose value is rejected shows the reason and gets the focus', async () => {
    renderForm({}, () => new RefusedResponse('invalid', 'shaded: must be true for clay', 'shaded'))
    write('Name', 'Hill')
    press('Add record')
    await waitFor(() => assert.deepEqual(described('Shaded'), ['true', 'This must be true for clay']))
    assert.ok(document.activeElement === screen.getByLabelText('Shaded'))
  })

  test('the rejection of a field that a record form does not show is reported below the form', async () => {
    renderForm({ fields: ['name'] }, () => new RefusedResponse('invalid', 'width: is required', 'width'))
    write('Name', 'Hill')
    press('Add record')
    await waitFor(() => assert.equal(screen.getByRole('alert').textContent, 'width: is required'))
  })

  test('only the edited fields of a record are sent, so that changes by others stay, and the form keeps its values', async () => {
    const { ops, rerender } = renderForm({ record: HILL })
    assert.deepEqual(values(), { name: 'Hill', soil: 'clay', width: '3', shaded: true })
    write('Name', 'Low hill')
    // Another person changes the record while the form is open.
    rerender({ record: { ...HILL, soil: 'sand', rev: 2 } })
    press('Save changes')
    await saved()
    write('Width', '4')
    press('Save changes')
    await waitFor(() => assert.equal(ops()?.length, 2))
    assert.deepEqual(ops(), [
      ['update', { name: 'Low hill' }],
      ['update', { width: 4 }],
    ])
    assert.equal(values().name, 'Low hill')
  })

  test('a stored value that app.json no longer allows is shown, and does not prevent the other fields from being saved', async () => {
    const { ops } = renderForm({ record: { ...HILL, soil: 'peat' } })
    assert.deepEqual(values(), { name: 'Hill', soil: 'peat', width: '3', shaded: true })
    write('Name', 'Hilltop')
    press('Save changes')
    await saved()
    assert.deepEqual(ops(), [['update', { name: 'Hilltop' }]])
    write('Name', ' ')
    press('Save changes')
    assert.deepEqual(described('Name'), ['true', 'This is required'], 'an edited value is still judged')
  })

  test('a record form whose save failed sends the same changes when it is saved again', async () => {
    let tries = 0
    const { ops } = renderForm({ record: HILL }, (call) =>
      ++tries === 1 ? new RefusedResponse('forbidden', 'Only members may change plots.') : store(call),
    )
    choose('Soil', '')
    press('Save changes')
    await waitFor(() => assert.ok(screen.getByRole('alert')))
    press('Save changes')
    await saved()
    assert.deepEqual(ops(), [
      ['update', { soil: null }],
      ['update', { soil: null }],
    ])
  })

  test('an empty field of a stored record stays empty, even if the field has a default for new records', async () => {
    const { ops } = renderForm({ record: { ...HILL, soil: null } })
    assert.equal(values().soil, '')
    press('Save changes')
    await saved()
    assert.deepEqual(ops(), [['update', {}]])
  })

  test('the submit handler of a record form gets all fields: the typed values, and current values of unedited fields', async () => {
    const inputs: unknown[] = []
    const { rerender } = renderForm({ record: HILL, onSubmit: (input: unknown) => void inputs.push(input) })
    const saveAgain = async () => {
      const before = inputs.length
      press('Save changes')
      await waitFor(() => assert.equal(inputs.length, before + 1))
      return inputs.at(-1)
    }
    write('Name', 'Low hill')
    rerender({ record: { ...HILL, soil: 'sand', name: 'High hill', rev: 2 } })
    assert.deepEqual(await saveAgain(), { name: 'Low hill', soil: 'sand', width: 3, shaded: true })
    // The record of the form arrives with what was saved, and later with a change by another person.
    rerender({ record: { ...HILL, soil: 'sand', name: 'Low hill', rev: 3 } })
    write('Width', '4')
    rerender({ record: { ...HILL, soil: 'sand', name: 'Old hill', rev: 4 } })
    assert.deepEqual(await saveAgain(), { name: 'Old hill', soil: 'sand', width: 4, shaded: true })
    // From here on, the record is not updated with what is saved.
    write('Name', 'New hill')
    assert.deepEqual(await saveAgain(), { name: 'New hill', soil: 'sand', width: 4, shaded: true })
    write('Width', '5')
    assert.deepEqual(await saveAgain(), { name: 'New hill', soil: 'sand', width: 5, shaded: true })
  })

  test('when a record is not updated after a save, the next save of its form passes the saved values, not the former ones', async () => {
    const inputs: unknown[] = []
    renderForm({ record: { ...HILL, shaded: null }, onSubmit: (input: unknown) => void inputs.push(input) })
    write('Name', 'Low hill')
    act(() => screen.getByLabelText('Shaded').click())
    press('Save changes')
    await saved()
    write('Width', '4')
    press('Save changes')
    await waitFor(() => assert.equal(inputs.length, 2))
    assert.deepEqual(inputs[1], { name: 'Low hill', soil: 'clay', width: 4, shaded: true })
  })

  test('a form that is given another record shows the values of that record', () => {
    const { rerender } = renderForm({ record: HILL })
    write('Name', 'Typed')
    rerender({ record: record('lake', { name: 'Lake', soil: null, width: null, shaded: null }) })
    assert.deepEqual(values(), { name: 'Lake', soil: '', width: '', shaded: false })
  })

  test('a form that is being sent cannot be sent again, even if a field changes in the meantime', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { ops } = renderForm({}, async (call) => {
      await promise
      return store(call)
    })
    write('Name', 'Hill')
    press('Add record')
    choose('Soil', 'clay')
    press('Add record')
    assert.equal(screen.getByRole('button', { name: 'Add record' }).getAttribute('aria-busy'), 'true')
    await act(async () => resolve())
    await saved()
    assert.deepEqual(ops(), [['create', { name: 'Hill', soil: 'sand', width: null, shaded: false }]])
  })

  test('a record form with a submit handler passes its values to the handler instead of storing them, and shows its error', async () => {
    const inputs: unknown[] = []
    const onSubmit = (input: unknown) => {
      inputs.push(input)
      if (inputs.length === 1) throw new Error('The garden is full.')
    }
    const { ops } = renderForm({ onSubmit, fields: ['name', 'soil'], initial: { soil: 'clay' } })
    write('Name', 'Hill')
    press('Add record')
    await waitFor(() => assert.equal(screen.getByRole('alert').textContent, 'The garden is full.'))
    press('Add record')
    await saved()
    assert.deepEqual(inputs, [
      { name: 'Hill', soil: 'clay' },
      { name: 'Hill', soil: 'clay' },
    ])
    assert.deepEqual(ops(), [])
  })

  test('text in a JSON field that is not JSON prevents the form from being sent', () => {
    const { ops } = renderForm({ fields: ['notes'] })
    write('Notes', '{"a": 1,}')
    press('Add record')
    assert.deepEqual(described('Notes')[0], 'true')
    assert.ok(isShown('Write JSON. A text needs double quotes.'))
    assert.deepEqual(ops(), [])
  })

  test('empty lines of a list field are not stored, and do not count toward its limit', async () => {
    const inputs: unknown[] = []
    renderForm({ fields: ['name', 'crops'], onSubmit: (input: unknown) => inputs.push(input) })
    write('Name', 'Hill')
    write('Crops', 'Beans\n\nPeas\n ')
    press('Add record')
    await saved()
    write('Name', 'Lake')
    write('Crops', '\n')
    press('Add record')
    await waitFor(() =>
      assert.deepEqual(inputs, [
        { name: 'Hill', crops: ['Beans', 'Peas'] },
        { name: 'Lake', crops: null },
      ]),
    )
  })

  test('what a person types while a new record is being sent stays in the form, and the sent values are removed from it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    renderForm({}, async (call) => {
      await promise
      return store(call)
    })
    write('Name', 'Hill')
    write('Width', '3')
    press('Add record')
    write('Name', 'Lake')
    await act(async () => resolve())
    await saved()
    assert.deepEqual(values(), { name: 'Lake', soil: 'sand', width: '', shaded: false })
  })

  test('a date that is typed only in part prevents the form from being sent, so that the stored date is not lost', () => {
    const { ops } = renderForm({
      fields: ['name', 'planted'],
      record: record('hill', { name: 'Hill', planted: '2026-11-20' }),
    })
    const input = screen.getByLabelText<HTMLInputElement>('Planted')
    write('Planted', '')
    // A browser reports this for half a date, whose value is empty.
    Object.defineProperties(input, {
      validity: { configurable: true, value: { customError: false, badInput: true } },
      validationMessage: { configurable: true, value: 'Enter a valid date.' },
    })
    press('Save changes')
    assert.deepEqual(described('Planted'), ['true', 'Enter a valid date.'])
    assert.deepEqual(ops(), [])
    assert.ok(document.activeElement === input)
  })

  test('correcting the first of two invalid fields keeps the focus in that field, so that a person can finish typing', () => {
    renderForm({ fields: ['name', 'width'] })
    write('Width', '51')
    press('Add record')
    const name = screen.getByLabelText('Name')
    assert.ok(document.activeElement === name)
    write('Name', 'H')
    assert.ok(document.activeElement === name)
    assert.equal(described('Width')[0], 'true')
    write('Name', 'Hi')
    assert.ok(document.activeElement === name)
  })
})
