import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { act, fireEvent, isShown, render, screen, write } from '../../testing/kit.test.fixture.tsx'
import { MoneyField, NumberField } from './number-fields.tsx'
import { writeNumber } from './number-text.ts'

type Value = number | null
type Field = (props: { value: Value; onChange: (value: Value) => void }) => React.ReactNode

/** Renders a field. Returns the last value that it reported, and a function that sets the value from outside. */
function renderField(field: Field, start: Value = null) {
  let last = start
  let set: (value: Value) => void = () => {}
  function Holder() {
    const [value, setValue] = useState(start)
    set = setValue
    const change = (next: Value) => {
      last = next
      setValue(next)
    }
    return field({ value, onChange: change })
  }
  render(<Holder />)
  return { value: () => last, set: (value: Value) => act(async () => set(value)) }
}
const number: Field = (props) => <NumberField label="Size" {...props} />
const wholeUpTo5: Field = (props) => <NumberField label="Size" isWhole max={5} {...props} />
const euro: Field = (props) => <MoneyField label="Size" currency="eur" {...props} />

const input = () => screen.getByLabelText<HTMLInputElement>('Size')
const type = (typed: string) => write('Size', typed)
const leave = () => fireEvent.blur(input())
/** The text of the field, the validation error that a form reports, and whether the field shows an error. */
const shown = () => [
  input().value,
  input().validationMessage,
  input().getAttribute('aria-invalid') === 'true',
]

describe('a field for a number', () => {
  test('a number field reports a number while it is typed, and keeps the typed text until the field is left', () => {
    const { value } = renderField(number)
    for (const [typed, expected] of [
      ['1', 1],
      ['1.', 1],
      ['1.50', 1.5],
      ['-', null],
      ['', null],
      ['1.50', 1.5],
    ] as const) {
      type(typed)
      assert.deepEqual([value(), input().value], [expected, typed])
    }
    leave()
    assert.deepEqual([value(), input().value], [1.5, writeNumber(1.5)])
  })

  test('a number field keeps text that is not a number, reports no value, and shows an error when the field is left', () => {
    const { value } = renderField(number, 3)
    type('3 cm')
    const problem = 'Write a number, in digits.'
    assert.deepEqual([value(), ...shown()], [null, '3 cm', problem, false])
    leave()
    assert.deepEqual(shown(), ['3 cm', problem, true])
    assert.ok(isShown(problem))
    type('3 c')
    assert.deepEqual(shown(), ['3 c', problem, false])
    type('3')
    assert.deepEqual([value(), ...shown()], [3, '3', '', false])
  })

  test('a number field for whole numbers up to 5 accepts 5, and shows an error for 6 and for 4.5', () => {
    const { value } = renderField(wholeUpTo5)
    for (const [typed, problem] of [
      ['5', ''],
      ['6', 'Write at most 5.'],
      ['4.5', 'Write a whole number.'],
      ['-1', ''],
      ['0', ''],
    ] as const) {
      type(typed)
      assert.deepEqual([value(), input().validationMessage], [Number(typed), problem])
    }
    assert.equal(input().inputMode, 'numeric')
  })

  test('a value that the app sets replaces the typed text of a number field', async () => {
    const { set } = renderField(number, 1)
    type('2')
    await set(7)
    assert.equal(input().value, '7')
    await set(null)
    assert.equal(input().value, '')
    await set(1_234_567.25)
    assert.equal(input().value, writeNumber(1_234_567.25))
  })

  test('a number field treats a number that is too large for JavaScript as text that is not a number', () => {
    const { value } = renderField(number)
    type('9'.repeat(400))
    assert.deepEqual([value(), input().validationMessage], [null, 'Write a number, in digits.'])
  })

  test('a money field reports its amount in cents, and shows two decimals when the field is left', () => {
    const { value } = renderField(euro)
    for (const [typed, cents, left] of [
      ['12', 1200, 12],
      ['0.1', 10, 0.1],
      ['€ 1.15', 115, 1.15],
      ['8.166 EUR', 817, 8.17],
      ['-3', -300, -3],
    ] as const) {
      type(typed)
      assert.deepEqual([value(), input().value], [cents, typed])
      leave()
      assert.equal(input().value, writeNumber(left, 2))
    }
    type('12k')
    assert.deepEqual([value(), input().validationMessage], [null, 'Write a number, in digits.'])
  })

  test('a money field for a currency without cents does not multiply its amount, and shows its maximum in that currency', () => {
    const { value } = renderField((props) => (
      <MoneyField label="Size" currency="jpy" max={500} error={null} {...props} />
    ))
    type('500')
    assert.deepEqual([value(), input().validationMessage], [500, ''])
    type('501')
    assert.match(input().validationMessage, /^Write at most .*500\.$/)
    assert.ok(isShown('JPY'))
  })

  test('a number field shows an error given by the form instead of its own error', () => {
    renderField((props) => <NumberField label="Size" error="This is taken." max={1} {...props} />)
    type('2')
    leave()
    assert.deepEqual([isShown('This is taken.'), isShown('Write at most 1.')], [true, false])
  })
})
