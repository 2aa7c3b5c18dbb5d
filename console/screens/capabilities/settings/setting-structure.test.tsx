import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { field, isShown, isThere, press, show, shownOption, write } from '../../../testing/console.tsx'
import { settingText, settingFields } from './schema-fields.ts'
import { SettingControl } from './setting-control.tsx'

/** Shows the control of a setting titled “It”. Returns a function that reads the current value of the setting. */
function renderSetting(schema: object, value?: unknown, definitions = {}) {
  const [setting] = settingFields(
    { properties: { it: { title: 'It', ...schema } }, required: ['it'] },
    definitions,
  )
  assert.ok(setting)
  let text = settingText(setting, value)
  function Host({ of }: { of: NonNullable<typeof setting> }) {
    const [now, set] = useState(text)
    text = now
    return <SettingControl field={of} value={now} error={undefined} onChange={set} />
  }
  show(<Host of={setting} />)
  return (): unknown => JSON.parse(text)
}

const select = (label: string): HTMLSelectElement => {
  const found = screen.getByLabelText(label)
  assert.ok(found instanceof HTMLSelectElement)
  return found
}
const shownChoice = (label: string) => shownOption(select(label))
/** The fields of the item with this number in the list or map. */
const inItem = (n: number) => within(screen.getByRole('group', { name: `It: ${n}` }))
const writeIn = (n: number, label: string, value: string) =>
  fireEvent.change(inItem(n).getByLabelText(label), { target: { value } })

const ACCESS = {
  oneOf: [
    { title: 'Everyone', type: 'object', properties: { kind: { const: 'public' } }, required: ['kind'] },
    {
      title: 'Buyers',
      type: 'object',
      properties: {
        kind: { const: 'product' },
        productId: { type: 'string', title: 'Product' },
        note: { type: 'string', title: 'Note' },
      },
      required: ['kind', 'productId'],
    },
  ],
}

describe('a setting that is one of several kinds of object', () => {
  test('a setting whose stored variant is unknown is shown as not set, and its first variant can be chosen', () => {
    for (const value of [null, {}, { kind: 'removed in this release' }]) {
      const read = renderSetting(ACCESS, value)
      assert.equal(shownChoice('Choose'), 'Not set', JSON.stringify(value))
      fireEvent.change(select('Choose'), { target: { value: 'public' } })
      assert.deepEqual(read(), { kind: 'public' })
      cleanup()
    }
  })

  test('a setting with variants cannot be unset again once a variant was chosen', () => {
    renderSetting(ACCESS, { kind: 'public' })
    assert.deepEqual(
      [...select('Choose').options].map(({ text }) => text),
      ['Everyone', 'Buyers'],
    )
  })

  test('choosing another variant of a setting drops the fields of the earlier variant', () => {
    const read = renderSetting(ACCESS, { kind: 'product', productId: 'prod_1' })
    assert.equal(field('Product').value, 'prod_1')
    write('Choose', 'public')
    assert.deepEqual(read(), { kind: 'public' })
    assert.ok(screen.queryByLabelText('Product') === null)
    write('Choose', 'product')
    assert.equal(field('Product').value, '')
    assert.deepEqual(read(), { kind: 'product' })
  })

  test("editing a field of a setting's variant keeps the variant and the other fields", () => {
    const read = renderSetting(ACCESS, { kind: 'product', productId: 'prod_1', note: 'soon' })
    write('Product', 'prod_2')
    assert.deepEqual(read(), { kind: 'product', productId: 'prod_2', note: 'soon' })
    write('Note', '')
    assert.deepEqual(read(), { kind: 'product', productId: 'prod_2' })
  })

  test('a setting whose variants are defined in a referenced part of the schema shows the fields of the chosen variant', () => {
    const read = renderSetting({ $ref: '#/$defs/Access' }, { kind: 'public' }, { Access: ACCESS })
    write('Choose', 'product')
    write('Product', 'prod_1')
    assert.deepEqual(read(), { kind: 'product', productId: 'prod_1' })
  })
})

const LIMITS = {
  type: 'object',
  propertyNames: { title: 'Meter' },
  additionalProperties: { type: 'number', title: 'Limit' },
}

describe('a setting that is a map', () => {
  test('entries of a map setting without a name are not reported as duplicates', () => {
    renderSetting(LIMITS, {})
    press('It: add one')
    press('It: add one')
    assert.ok(!isThere('alert'))
  })

  test('renaming an entry of a map setting keeps its value and its place among the others', () => {
    const read = renderSetting(LIMITS, { first: 1, second: 2, third: 3 })
    writeIn(2, 'Meter', 'middle')
    assert.deepEqual(Object.entries(read() as object), [
      ['first', 1],
      ['middle', 2],
      ['third', 3],
    ])
    assert.deepEqual(
      screen.getAllByLabelText<HTMLInputElement>('Meter').map(({ value }) => value),
      ['first', 'middle', 'third'],
    )
  })

  test('an entry with an emptied name leaves the map setting, and returns with its value when it is named again', () => {
    const read = renderSetting(LIMITS, { first: 1 })
    writeIn(1, 'Meter', '  ')
    assert.deepEqual(read(), {})
    writeIn(1, 'Meter', 'again')
    assert.deepEqual(read(), { again: 1 })
  })

  test('a new map entry that has only a name is sent without a value, so that the service can name what is missing', () => {
    const read = renderSetting(LIMITS, {})
    press('It: add one')
    writeIn(1, 'Meter', 'exports')
    assert.deepEqual(read(), { exports: null })
  })

  test('a map setting whose stored value is a list is shown as empty', () => {
    const read = renderSetting(LIMITS, [1, 2])
    assert.ok(!isThere('group', 'It: 1'))
    press('It: add one')
    writeIn(1, 'Meter', 'exports')
    writeIn(1, 'Limit', '2')
    assert.deepEqual(read(), { exports: 2 })
  })
})

const ENDPOINTS = {
  type: 'object',
  propertyNames: { title: 'Endpoint' },
  additionalProperties: {
    type: 'object',
    title: 'Endpoint',
    properties: {
      scheme: { type: 'string', title: 'Scheme', enum: ['hmac', 'github'] },
      paths: { type: 'array', title: 'Paths', items: { type: 'string' } },
      isOpen: { type: 'boolean', title: 'Open' },
    },
  },
}

describe('settings inside other settings', () => {
  test('editing an object in a map setting does not change the other entries', () => {
    const read = renderSetting(ENDPOINTS, { pay: { scheme: 'hmac', unknown: 1 }, crm: { isOpen: true } })
    fireEvent.change(inItem(1).getByLabelText('Scheme'), { target: { value: 'github' } })
    fireEvent.click(inItem(2).getByLabelText('Open'))
    assert.deepEqual(read(), { pay: { scheme: 'github', unknown: 1 }, crm: { isOpen: false } })
  })

  test('setting an optional choice inside an object back to “Not set” removes it from the object', () => {
    const read = renderSetting(ENDPOINTS, { pay: { scheme: 'hmac' } })
    fireEvent.change(inItem(1).getByLabelText('Scheme'), { target: { value: '' } })
    assert.deepEqual(read(), { pay: {} })
  })

  test('the options of a setting have readable names, and abbreviations keep their capital letters', () => {
    renderSetting(ENDPOINTS, { pay: {} })
    assert.deepEqual(
      [...select('Scheme').options].map(({ text }) => text),
      ['Not set', 'HMAC', 'GitHub'],
    )
  })

  test('removing the middle item of a list of objects keeps the text typed into the other items', () => {
    const hosts = {
      type: 'array',
      items: { type: 'object', properties: { host: { type: 'string', title: 'Host' } } },
    }
    const read = renderSetting(hosts, [{ host: 'a' }, { host: 'b' }, { host: 'c' }])
    writeIn(1, 'Host', 'a.test')
    writeIn(3, 'Host', 'c.test')
    press('It: remove 2')
    assert.deepEqual(read(), [{ host: 'a.test' }, { host: 'c.test' }])
    assert.deepEqual(
      screen.getAllByLabelText<HTMLInputElement>('Host').map(({ value }) => value),
      ['a.test', 'c.test'],
    )
    press('It: add one')
    writeIn(3, 'Host', 'd.test')
    assert.deepEqual(read(), [{ host: 'a.test' }, { host: 'c.test' }, { host: 'd.test' }])
  })

  test('editing a list of objects removes an item that is not an object', () => {
    const rules = {
      type: 'array',
      items: { type: 'object', properties: { host: { type: 'string', title: 'Host' } } },
    }
    const read = renderSetting(rules, ['text', { host: 'a' }, null])
    writeIn(1, 'Host', 'b')
    assert.deepEqual(read(), [{ host: 'b' }])
  })

  test('the default of a setting that was never set is shown, and is sent only once it is changed', () => {
    const kinds = {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', title: 'Id' },
          kind: { type: 'string', title: 'Kind', enum: ['oauth', 'apiKey'], default: 'oauth' },
        },
      },
    }
    const read = renderSetting(kinds, [{ id: 'github' }])
    assert.equal(shownChoice('Kind'), 'OAuth')
    writeIn(1, 'Id', 'gitlab')
    assert.deepEqual(read(), [{ id: 'gitlab' }])
    fireEvent.change(select('Kind'), { target: { value: 'apiKey' } })
    assert.deepEqual(read(), [{ id: 'gitlab', kind: 'apiKey' }])
  })

  test('a setting that is an object is a group with its title, its description and its error', () => {
    const [setting] = settingFields({
      properties: {
        it: {
          title: 'It',
          description: 'What it is for.',
          type: 'object',
          properties: { a: { type: 'string', title: 'A' } },
        },
      },
    })
    assert.ok(setting)
    show(<SettingControl field={setting} value="{}" error="A is missing." onChange={() => {}} />)
    const group = screen.getByRole('group', { name: 'It' })
    const note = document.getElementById(group.getAttribute('aria-describedby') ?? '')
    assert.equal(note?.textContent, 'What it is for.')
    assert.equal(within(group).getByRole('alert').textContent, 'A is missing.')
    assert.ok(isShown('A is missing.'))
  })
})

describe('the accessible description of a setting with choices', () => {
  test('an error of a choice setting replaces its hint as the accessible description and marks the setting as invalid', () => {
    const [setting] = settingFields({
      properties: { it: { title: 'Mode', description: 'How it runs.', enum: ['a', 'b'], default: 'a' } },
    })
    assert.ok(setting)
    const control = (error: string | undefined) => (
      <SettingControl field={setting} value="a" error={error} onChange={() => {}} />
    )
    const description = () =>
      document.getElementById(select('Mode').getAttribute('aria-describedby') ?? '')?.textContent
    const { rerender } = show(control(undefined))
    assert.equal(description(), 'How it runs.')
    assert.notEqual(select('Mode').getAttribute('aria-invalid'), 'true')
    rerender(control('It cannot be b.'))
    assert.equal(description(), 'It cannot be b.')
    assert.equal(select('Mode').getAttribute('aria-invalid'), 'true')
  })
})
