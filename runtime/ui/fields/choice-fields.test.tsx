import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { fireEvent, render, screen } from '../../testing/kit.test.fixture.tsx'
import { Checkbox, CheckboxGroup, Select, Switch } from './choice-fields.tsx'

const COLORS = [
  { value: 'red', label: 'Red' },
  { value: 'green', label: 'Green' },
  { value: 'blue', label: 'Blue' },
]

/** The texts that a screen reader reads after the name of an element. */
const descriptions = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby')?.split(' ') ?? []).map(
    (id) => document.getElementById(id)?.textContent,
  )
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

function Colors({ start, onChange }: { start: string[]; onChange: (value: readonly string[]) => void }) {
  const [value, setValue] = useState<readonly string[]>(start)
  const change = (next: readonly string[]) => {
    setValue(next)
    onChange(next)
  }
  return <CheckboxGroup label="Colors" value={value} onChange={change} options={COLORS} />
}

describe('the fields for choices', () => {
  test('a checkbox reports each change, and is described by its hint and its error', () => {
    const changes: boolean[] = []
    const onChange = (value: boolean) => changes.push(value)
    const { rerender } = render(<Checkbox label="Agreed" value={false} onChange={onChange} />)
    assert.deepEqual([box('Agreed').getAttribute('aria-invalid'), descriptions(box('Agreed'))], ['false', []])
    rerender(
      <Checkbox label="Agreed" value={false} onChange={onChange} hint="To the rules." error="Agree first." />,
    )
    assert.equal(box('Agreed').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(descriptions(box('Agreed')), ['To the rules.', 'Agree first.'])
    fireEvent.click(box('Agreed'))
    assert.deepEqual(changes, [true])
  })

  test('a switch has the role of a switch for screen readers, and shows its error', () => {
    render(<Switch label="Mails" value onChange={() => {}} hint="Weekly." error="Not stored." />)
    const element = screen.getByRole<HTMLInputElement>('switch', { name: 'Mails' })
    assert.equal(element.checked, true)
    assert.deepEqual(descriptions(element), ['Weekly.', 'Not stored.'])
  })

  test('a select field has an option for no value, which is an empty string', () => {
    const changes: string[] = []
    render(<Select label="Color" value="green" onChange={(value) => changes.push(value)} options={COLORS} />)
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Color' })
    assert.deepEqual(
      Array.from(select.options, ({ value, text, selected }) => [value, text, selected]),
      [
        ['', 'Choose', false],
        ['red', 'Red', false],
        ['green', 'Green', true],
        ['blue', 'Blue', false],
      ],
    )
    fireEvent.change(select, { target: { value: '' } })
    assert.deepEqual(changes, [''])
  })

  test('the values of a group of checkboxes are in the order of the options, in whatever order they are chosen', () => {
    const changes: unknown[] = []
    render(<Colors start={['blue']} onChange={(value) => changes.push(value)} />)
    fireEvent.click(box('Red'))
    fireEvent.click(box('Green'))
    fireEvent.click(box('Blue'))
    assert.deepEqual(changes, [
      ['red', 'blue'],
      ['red', 'green', 'blue'],
      ['red', 'green'],
    ])
    assert.deepEqual(
      COLORS.map(({ label }) => box(label).checked),
      [true, true, false],
    )
  })

  test('a group of checkboxes is described by its hint and its error', () => {
    const { rerender } = render(
      <CheckboxGroup
        label="Colors"
        value={[]}
        onChange={() => {}}
        options={COLORS}
        hint="Any."
        error={null}
      />,
    )
    const group = () => screen.getByRole('group', { name: 'Colors' })
    assert.deepEqual(descriptions(group()), ['Any.'])
    rerender(
      <CheckboxGroup
        label="Colors"
        value={[]}
        onChange={() => {}}
        options={COLORS}
        error="Choose a color."
      />,
    )
    assert.deepEqual(descriptions(group()), ['Choose a color.'])
  })
})
