import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import { boundText, settingFields, readField, type SettingField, settingText } from './schema-fields.ts'

const SCHEMA = {
  properties: {
    days: { type: 'integer', minimum: 1, maximum: 30, title: 'Days' },
    rate: { type: 'number', minimum: 0.01, maximum: 1 },
    paused: { type: 'boolean' },
    mode: { type: 'string', enum: ['auto', 'mesh'] },
    model: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    types: { type: 'array', items: { type: 'string' } },
    widths: { type: 'array', items: { type: 'integer' } },
    period: {
      anyOf: [
        { type: 'number', const: 10 },
        { type: 'number', const: 60 },
      ],
    },
    limits: { type: 'object' },
    size: { type: 'integer', unit: 'bytes', minimum: 1024, maximum: 5 * 1024 ** 3 },
  },
}

const fieldNamed = (name: string) => {
  const found = settingFields(SCHEMA).find((one) => one.name === name)
  assert.ok(found)
  return found
}
const readSetting = (name: string, text: string) => readField(fieldNamed(name), text)

describe('a form made of declared settings', () => {
  test('each setting in a JSON schema has a form field of its type, or a JSON field when no type fits', () => {
    assert.deepEqual(
      settingFields(SCHEMA).map(({ kind }) => kind),
      ['integer', 'number', 'boolean', 'choice', 'text', 'list', 'list', 'choice', 'json', 'bytes'],
    )
    assert.equal(fieldNamed('days').title, 'Days')
    assert.equal(fieldNamed('rate').title, 'rate')
  })

  test('a setting in bytes is shown and parsed with a unit', () => {
    const shown = (bytes: number) => settingText(fieldNamed('size'), bytes)
    const sizes = [25 * 1024 ** 2, 25_000_000, 1024 ** 3, 1500]
    assert.deepEqual(sizes.map(shown), ['25 MiB', '25 MB', '1 GiB', '1,500 bytes'])
    for (const [text, value] of [
      ['25 MB', 25_000_000],
      ['1.5gib', 1.5 * 1024 ** 3],
      ['2048', 2048],
      ['1,500 bytes', 1500],
    ] as const)
      assert.deepEqual(readSetting('size', text), { value }, text)
    assert.deepEqual(readSetting('size', '1,000'), { problem: { is: 'small', bound: '1 KiB' } })
    assert.deepEqual(readSetting('size', '6 GB'), { problem: { is: 'large', bound: '5 GiB' } })
    for (const text of ['', 'much', '5 TB', '-1 MB', '1,5 GB', 'MB'])
      assert.deepEqual(readSetting('size', text), { problem: { is: 'bytes' } }, text)
  })

  test('every setting of a capability has a form field of a type other than JSON', () => {
    const flattenFields = (fields: SettingField[]): SettingField[] =>
      fields.flatMap((one) => [
        one,
        ...flattenFields(one.fields),
        ...one.variants.flatMap(({ fields: own }) => flattenFields(own)),
      ])
    for (const [key, { settings }] of Object.entries(CAPABILITIES))
      for (const { name, kind } of flattenFields(settingFields(settings)))
        assert.notEqual(kind, 'json', `${key}: ${name}`)
  })

  test('the default of each capability setting is unchanged after it was formatted as text and parsed', () => {
    for (const { settings } of Object.values(CAPABILITIES))
      for (const one of settingFields(settings)) {
        const { default: value } =
          (settings.properties as Record<string, { default: unknown }>)[one.name] ?? {}
        assert.deepEqual(readField(one, settingText(one, value)), { value }, one.name)
      }
  })

  test('a numeric setting is accepted only within its bounds', () => {
    assert.deepEqual(readSetting('days', ' 7 '), { value: 7 })
    assert.deepEqual(readSetting('days', ''), { problem: { is: 'number' } })
    assert.deepEqual(readSetting('days', 'x'), { problem: { is: 'number' } })
    assert.deepEqual(readSetting('days', '1.5'), { problem: { is: 'integer' } })
    assert.deepEqual(readSetting('days', '0'), { problem: { is: 'small', bound: '1' } })
    assert.deepEqual(readSetting('days', '31'), { problem: { is: 'large', bound: '30' } })
    assert.deepEqual(readSetting('rate', '0.5'), { value: 0.5 })
  })

  test('the text typed for a setting is parsed as a list, a number, an object or null, and invalid text is reported', () => {
    assert.deepEqual(readSetting('types', 'image/*, ,text/plain'), { value: ['image/*', 'text/plain'] })
    assert.deepEqual(readSetting('widths', '64,128'), { value: [64, 128] })
    assert.deepEqual(readSetting('widths', '64,big'), { problem: { is: 'number' } })
    assert.deepEqual(readSetting('period', '60'), { value: 60 })
    assert.deepEqual(readSetting('model', ' '), { value: null })
    assert.deepEqual(readSetting('limits', '{"a":1}'), { value: { a: 1 } })
    assert.deepEqual(readSetting('limits', '{a'), { problem: { is: 'json' } })
  })

  test('a list setting whose entries contain commas, quotes or line breaks is unchanged after it was shown and parsed', () => {
    const list = fieldNamed('types')
    for (const value of [
      ['Doe, Ann', 'plain'],
      ['say "hi", please', '"', 'a "b" c'],
      ['two\nlines', ' around ', ''],
      [],
    ])
      assert.deepEqual(readField(list, settingText(list, value)), { value }, JSON.stringify(value))
    assert.equal(settingText(list, ['Doe, Ann', 'plain']), '"Doe, Ann", plain')
    // Text without a closing quote, or with more text after it, is taken unchanged.
    assert.deepEqual(readSetting('types', '"open, b'), { value: ['"open', 'b'] })
    assert.deepEqual(readSetting('types', '"a" b, c'), { value: ['"a" b', 'c'] })
  })

  test('a numeric setting can be typed with thousands separators, because its bounds are shown with them', () => {
    const [times] = settingFields({
      properties: { times: { type: 'integer', minimum: 1, maximum: 100_000 } },
    })
    assert.ok(times)
    assert.equal(boundText(times, 100_000), '100,000')
    for (const [text, read] of [
      ['100,000', { value: 100_000 }],
      ['1,000', { value: 1000 }],
      ['100,001', { problem: { is: 'large', bound: '100,000' } }],
      ['1,00', { problem: { is: 'number' } }],
      ['1,0000', { problem: { is: 'number' } }],
      [',100', { problem: { is: 'number' } }],
      ['1,000.5', { problem: { is: 'integer' } }],
    ] as const)
      assert.deepEqual(readField(times, text), read, text)
  })

  test('an integer setting that JavaScript cannot represent exactly is refused, and so is a number too large to be finite', () => {
    assert.deepEqual(readSetting('days', '9007199254740993'), { problem: { is: 'integer' } })
    assert.deepEqual(readSetting('days', '1e400'), { problem: { is: 'number' } })
  })

  test('a setting in bytes is shown in the largest unit that needs no fraction, and never with an exponent', () => {
    for (const [bytes, text] of [
      [0, '0 bytes'],
      [999, '999 bytes'],
      [1000, '1 kB'],
      [1024, '1 KiB'],
      [1_000_000, '1 MB'],
      [1_024_000, '1,000 KiB'],
      [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991 bytes'],
    ] as const) {
      assert.equal(settingText(fieldNamed('size'), bytes), text)
      if (bytes >= 1024 && bytes <= 5 * 1024 ** 3)
        assert.deepEqual(readSetting('size', text), { value: bytes }, 'the shown text is read as it was')
    }
  })

  test('a setting whose maximum is the largest safe integer has no upper bound, because that maximum stands for “no limit”', () => {
    const [space] = settingFields({
      properties: { space: { type: 'integer', unit: 'bytes', maximum: Number.MAX_SAFE_INTEGER } },
    })
    assert.equal(space?.max, null)
  })

  test('a nullable setting keeps the bounds and the options of its value', () => {
    const [runs, mode] = settingFields({
      properties: {
        runs: { anyOf: [{ type: 'integer', minimum: 1, maximum: 250 }, { type: 'null' }] },
        mode: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      },
    })
    assert.ok(runs && mode)
    assert.deepEqual(readField(runs, ''), { value: null })
    assert.deepEqual(readField(runs, '251'), { problem: { is: 'large', bound: '250' } })
    assert.deepEqual([mode.kind, mode.choices, mode.isNullable], ['choice', ['a', 'b'], true])
    assert.deepEqual(readField(mode, ''), { value: null })
  })

  test('a settings schema that refers to an unknown definition becomes a JSON field instead of an error', () => {
    const [field] = settingFields({ properties: { it: { $ref: '#/$defs/Gone', title: 'It' } } })
    assert.deepEqual([field?.kind, field?.title], ['json', 'It'])
  })
})
