import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type ComponentType, useState } from 'react'
import { press, render, screen, write } from '../../testing/kit.test.fixture.tsx'
import { DateField, PasswordField, TextArea, TextField, TimeField } from './fields.tsx'

const ORIGINAL_ZONE = process.env['TZ']

interface FieldGiven {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  hint?: string
  error?: string | null
  required?: boolean
}

/** Renders a field with a label "When". Returns the values that it reports. */
function open(Field: ComponentType<FieldGiven>, value: string | null, more: Partial<FieldGiven> = {}) {
  const reported: (string | null)[] = []
  function Form() {
    const [current, setCurrent] = useState(value)
    const change = (next: string | null) => {
      reported.push(next)
      setCurrent(next)
    }
    return <Field label="When" {...more} value={current} onChange={change} />
  }
  render(<Form />)
  return reported
}
const control = () => screen.getByLabelText<HTMLInputElement>('When')
/** Returns the texts that a screen reader reads after the label. */
const descriptions = () =>
  (control().getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)

// The first three fields do not accept null, so wrappers replace null with an empty text.
const TEXT_FIELDS: [name: string, field: ComponentType<FieldGiven>][] = [
  [
    'a text field',
    ({ value, onChange, ...rest }) => <TextField {...rest} value={value ?? ''} onChange={onChange} />,
  ],
  [
    'a field for long text',
    ({ value, onChange, ...rest }) => <TextArea {...rest} value={value ?? ''} onChange={onChange} />,
  ],
  [
    'a field for a password',
    ({ value, onChange, ...rest }) => <PasswordField {...rest} value={value ?? ''} onChange={onChange} />,
  ],
  ['a field for a day', DateField],
  ['a field for a time of day', TimeField],
]

describe('the fields of a form', () => {
  for (const [name, Field] of TEXT_FIELDS) {
    test(`${name} is described to screen readers by its hint and its error, and is marked as invalid`, () => {
      open(Field, '', { hint: 'Help.', error: 'This is required.', required: true })
      assert.deepEqual(descriptions(), ['Help.', 'This is required.'])
      assert.deepEqual([control().getAttribute('aria-invalid'), control().required], ['true', true])
    })

    test(`${name} without a hint and with an empty error has no description and is not marked as invalid`, () => {
      open(Field, '', { error: '' })
      assert.deepEqual(
        [control().getAttribute('aria-invalid'), control().hasAttribute('aria-describedby')],
        ['false', false],
      )
    })
  }

  test('two fields with equal labels are separate controls with separate errors', () => {
    render(
      <>
        <TextField label="Name" value="a" onChange={() => {}} error="Wrong." />
        <TextField label="Name" value="b" onChange={() => {}} />
      </>,
    )
    const fields = screen.getAllByLabelText<HTMLInputElement>('Name')
    assert.deepEqual(
      fields.map((field) => [field.value, field.getAttribute('aria-invalid')]),
      [
        ['a', 'true'],
        ['b', 'false'],
      ],
    )
    assert.notEqual(fields[0]?.id, fields[1]?.id)
  })

  for (const [what, Field, value] of [
    ['day', DateField, '2026-11-20'],
    ['time of day', TimeField, '09:30'],
  ] as const)
    test(`a field for a ${what} reports the entered value as text, and no value when it is emptied`, () => {
      const reported = open(Field, null)
      assert.equal(control().value, '')
      write('When', value)
      write('When', '')
      assert.deepEqual(reported, [value, null])
    })

  test('a password is hidden until the person presses a button that names the field, which does not change the password', () => {
    open(
      ({ value, onChange }) => <PasswordField label="When" value={value ?? ''} onChange={onChange} />,
      'pears',
    )
    assert.equal(control().type, 'password')
    press('Show When')
    assert.deepEqual([control().type, control().value], ['text', 'pears'])
    press('Hide When')
    assert.equal(control().type, 'password')
  })

  test('the button that shows a password does not submit the form', () => {
    let submits = 0
    render(
      <form onSubmit={() => submits++}>
        <PasswordField label="When" value="" onChange={() => {}} />
      </form>,
    )
    press('Show When')
    assert.equal(submits, 0)
  })

  describe('a day in another time zone', () => {
    beforeEach(() => {
      process.env['TZ'] = 'America/Los_Angeles'
    })
    afterEach(() => {
      if (ORIGINAL_ZONE === undefined) delete process.env['TZ']
      else process.env['TZ'] = ORIGINAL_ZONE
    })

    test('a date field shows a stored time as its day in the time zone of the person, as lists and calendars do', () => {
      open(DateField, '2026-11-20T03:00:00.000Z')
      assert.equal(control().value, '2026-11-19')
    })

    for (const value of ['2026-11-20', '2026-11-20T03:00', '2026-11-20T23:59:59'])
      test(`a date field shows a date, or a time without a zone, as the same day in every time zone: ${value}`, () => {
        open(DateField, value)
        assert.equal(control().value, '2026-11-20')
      })
  })
})
