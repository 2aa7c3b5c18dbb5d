import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { fireEvent, screen } from '@testing-library/react'
import { field, isShown, isThere, press, show, shownOption, write } from '../../../testing/console.tsx'
import { settingText, settingFields } from './schema-fields.ts'
import { SettingControl } from './setting-control.tsx'

interface Given {
  schema: object
  value?: unknown
  isRequired?: boolean
  error?: string
}

/** Shows the control of one setting. Returns its current text, and the JSON value that this text contains. */
function renderControl({ schema, value, isRequired = true, error }: Given) {
  const [setting] = settingFields({ properties: { it: schema }, ...(isRequired && { required: ['it'] }) })
  assert.ok(setting)
  let text = settingText(setting, value)
  function Host() {
    const [now, set] = useState(text)
    text = now
    return <SettingControl field={setting!} value={now} error={error} onChange={set} />
  }
  const { unmount } = show(<Host />)
  return { unmount, text: () => text, value: (): unknown => JSON.parse(text) }
}
const noteOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent

const METHODS = {
  type: 'array',
  title: 'Method',
  description: 'How people sign in.',
  items: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', title: 'Id' },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
      most: { type: 'integer', title: 'Most', minimum: 1 },
      isOn: { type: 'boolean', title: 'On' },
      owner: {
        type: 'object',
        title: 'Owner',
        properties: { name: { type: 'string', title: 'Owner name' } },
      },
    },
  },
}
const LIMITS = {
  type: 'object',
  title: 'Limit',
  additionalProperties: { type: 'integer', title: 'Most' },
}

describe('the control of a setting', () => {
  test('code in the description of a setting is shown as code, without its backticks', () => {
    const kinds: object[] = [
      { type: 'string' },
      { type: 'boolean' },
      { type: 'string', enum: ['a', 'b'] },
      { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
    ]
    for (const kind of kinds) {
      const { unmount } = renderControl({
        schema: { ...kind, title: 'It', description: 'Like `a-b`, or <b>.' },
      })
      assert.equal(document.querySelector('code')?.textContent, 'a-b', JSON.stringify(kind))
      assert.match(document.body.textContent ?? '', /Like a-b, or <b>\./)
      unmount()
    }
  })

  test('a setting of every type shows its error', () => {
    const kinds: Record<string, object> = {
      'a boolean': { type: 'boolean' },
      'a choice': { enum: ['a', 'b'] },
      'a number': { type: 'number' },
      'a size': { type: 'integer', unit: 'bytes' },
      'a list': { type: 'array', items: { type: 'string' } },
      'an object': { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
      'a list of objects': METHODS,
      'a map': LIMITS,
      JSON: {},
    }
    for (const [kind, schema] of Object.entries(kinds)) {
      renderControl({ schema: { title: 'It', ...schema }, error: `Wrong, ${kind}.` })
      assert.equal(isShown(`Wrong, ${kind}.`), true, kind)
    }
  })

  test('the hint of a numeric setting states its bounds, and the hint of a list setting says how to separate its values', () => {
    renderControl({
      schema: {
        type: 'integer',
        unit: 'bytes',
        title: 'Size',
        description: 'Of a file.',
        minimum: 1024,
        maximum: 1024 ** 3,
      },
    })
    assert.equal(noteOf('Size'), 'Of a file. From 1 KiB to 1 GiB.')
    renderControl({ schema: { type: 'array', title: 'Hosts', items: { type: 'string' } } })
    assert.match(noteOf('Hosts') ?? '', /^Separated by commas\./)
  })

  test('a stored option that a setting no longer offers is shown as selected, and every other option can be chosen', () => {
    const { text } = renderControl({ schema: { title: 'Mode', enum: ['managed', 'hidden'] }, value: 'gone' })
    const select = field('Mode') as unknown as HTMLSelectElement
    assert.deepEqual([select.value, shownOption(select)], ['gone', 'Gone'])
    write('Mode', 'managed')
    assert.equal(text(), 'managed')
  })

  test('a comma-separated list in a nested setting keeps a trailing comma while it is edited', () => {
    const { value } = renderControl({ schema: METHODS, value: [{ id: 'a', tags: ['x'] }] })
    write('Tags', 'x,')
    assert.equal(field('Tags').value, 'x,')
    write('Tags', 'x, y')
    assert.deepEqual(value(), [{ id: 'a', tags: ['x', 'y'] }])
  })

  test('emptying a field of a nested setting omits an optional field, and sends a required field as an empty text', () => {
    const { value } = renderControl({ schema: METHODS, value: [{ id: 'a', tags: ['x'], most: 3 }] })
    write('Tags', '')
    write('Most', '')
    write('Id', '')
    assert.deepEqual(value(), [{ id: '' }])
  })

  test("text that is not a number stays in a numeric setting and is sent, so that the service's error names the field", () => {
    const { value } = renderControl({ schema: METHODS, value: [{ id: 'a', most: 3 }] })
    write('Most', 'three')
    assert.equal(field('Most').value, 'three')
    assert.deepEqual(value(), [{ id: 'a', most: 'three' }])
  })

  test('a nested setting that was never set can be filled in', () => {
    const { value } = renderControl({ schema: METHODS, value: [{ id: 'a' }] })
    write('Owner name', 'Ada')
    assert.deepEqual(value(), [{ id: 'a', owner: { name: 'Ada' } }])
  })

  test('after the first item of a list setting is removed, the other items keep their texts, and an added item is empty', () => {
    const { value } = renderControl({ schema: METHODS, value: [{ id: 'a' }, { id: 'b' }] })
    press('Method: remove 1')
    assert.equal(field('Id').value, 'b')
    press('Method: add one')
    const second = screen.getByRole('group', { name: 'Method: 2' })
    assert.equal(second.querySelector('input')?.value, '')
    assert.deepEqual(value(), [{ id: 'b' }, {}])
  })

  test('a list of nested settings whose stored value is not a list is shown as empty', () => {
    const { value } = renderControl({ schema: METHODS, value: 'nothing of this kind' })
    assert.equal(isThere('group', 'Method: 1'), false)
    press('Method: add one')
    assert.deepEqual(value(), [{}])
  })

  test('an entry of a map setting is stored only once it has a name, and that name may be “__proto__”', () => {
    const { value } = renderControl({ schema: LIMITS, value: { first: 1 } })
    press('Limit: add one')
    assert.deepEqual(value(), { first: 1 })
    const [, name] = screen.getAllByLabelText<HTMLInputElement>('Name')
    const [, most] = screen.getAllByLabelText<HTMLInputElement>('Most')
    assert.ok(name && most)
    fireEvent.change(most, { target: { value: '5' } })
    assert.deepEqual(value(), { first: 1 })
    fireEvent.change(name, { target: { value: '__proto__' } })
    assert.deepEqual(Object.entries(value() as object), [
      ['first', 1],
      ['__proto__', 5],
    ])
  })
})
