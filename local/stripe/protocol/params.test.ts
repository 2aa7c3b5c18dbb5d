import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { StripeFailure } from '../context.ts'
import { decodeForm } from './form.ts'
import {
  CreatedRange,
  Currency,
  Flag,
  Int,
  isWithin,
  mergeMetadata,
  MetadataIn,
  parseParams,
  ClearableText,
  Text,
  Url,
} from './params.ts'

/** Parses a form with a schema. Returns the values, or the message and code of the error. */
const parse = (schema: z.ZodRawShape, form: string): unknown => {
  try {
    return parseParams(z.strictObject(schema), decodeForm(form))
  } catch (error) {
    assert.ok(error instanceof StripeFailure)
    assert.equal(error.status, 400)
    return [error.message, error.more.code]
  }
}

describe('the form encoding of the payment provider', () => {
  test('form fields with brackets become objects, or lists when the keys are 0, 1 and so on', () => {
    assert.deepEqual(
      [
        'a=1&b=',
        'a=1&a=2',
        'metadata[a]=x&metadata[b%20c]=%26%3D',
        'expand[]=x&expand[]=y',
        'items[1][price]=b&items[0][price]=a&items[0][tags][]=t',
        'a[2026]=x',
        'a[0]=x&a[2]=y',
        'a[00]=x',
        '',
      ].map(decodeForm),
      [
        { a: '1', b: '' },
        { a: '2' },
        { metadata: { a: 'x', 'b c': '&=' } },
        { expand: ['x', 'y'] },
        { items: [{ price: 'a', tags: ['t'] }, { price: 'b' }] },
        { a: { 2026: 'x' } },
        { a: { 0: 'x', 2: 'y' } },
        { a: { '00': 'x' } },
        {},
      ],
    )
  })

  test('a malformed form body is decoded without an error, and no form body changes a prototype', () => {
    const forms = [
      '[',
      ']',
      '[]',
      '[][]=1',
      'a[',
      'a[=1',
      'a]=1',
      '=',
      '&&',
      '%',
      '%zz=1',
      'a=1&a[b]=2',
      'a[b]=1&a=2',
      '0=a&1=b',
    ]
    for (const form of forms) assert.equal(typeof decodeForm(form), 'object', form)
    const decoded = decodeForm(
      '__proto__[admin]=true&a[__proto__][admin]=true&constructor[prototype][admin]=true',
    )
    assert.deepEqual(
      [({} as { admin?: string }).admin, Object.keys(decoded)],
      [undefined, ['__proto__', 'a', 'constructor']],
    )
  })
})

describe('parameters of the payment provider', () => {
  test("an integer form parameter is converted to a number, and a non-integer is refused with the parameter's name", () => {
    const refused = ['Invalid n: Invalid integer', 'parameter_invalid']
    assert.deepEqual(
      ['0', '-1', '007', '999999999999', '1000000000000', '1.5', '1e3', ' 1', '0x10', 'NaN', ''].map((n) =>
        parse({ n: Int }, `n=${n}`),
      ),
      [{ n: 0 }, { n: -1 }, { n: 7 }, { n: 999_999_999_999 }, ...Array.from({ length: 7 }, () => refused)],
    )
  })

  test('booleans, currencies, URLs and strings in form parameters are parsed, and malformed ones are refused', () => {
    const parsed = (schema: z.ZodType, values: string[]) =>
      values.map((value) => {
        const read = parse({ v: schema }, `v=${encodeURIComponent(value)}`)
        return Array.isArray(read) ? read[1] : (read as { v: unknown }).v
      })
    const no = 'parameter_invalid'
    assert.deepEqual(
      [
        parsed(Flag, ['true', 'false', 'TRUE', '1', '']),
        parsed(Currency, ['usd', 'EUR', 'eu', 'euro', 'e1r']),
        parsed(Url, [
          'https://a.test/',
          'http://a.localhost:1/?b#c',
          'javascript:alert(1)',
          'ftp://a.test/',
          'a.test',
          '',
        ]),
        parsed(Text, ['x', 'x'.repeat(5000), 'x'.repeat(5001), '']),
        parsed(ClearableText, ['x', '', 'x'.repeat(5001)]),
      ],
      [
        [true, false, no, no, no],
        ['usd', 'eur', no, no, no],
        ['https://a.test/', 'http://a.localhost:1/?b#c', no, no, no, no],
        ['x', 'x'.repeat(5000), no, no],
        ['x', null, no],
      ],
    )
  })

  test("missing, unknown and invalid form parameters have different errors, each with the parameter's full name", () => {
    const schema = { a: z.strictObject({ b: z.array(z.strictObject({ c: Int })) }) }
    assert.deepEqual(
      [
        parse(schema, ''),
        parse(schema, 'a[b][0][c]=1&d=2'),
        parse(schema, 'a[b][0][c]=1&a[b][0][e]=2'),
        parse(schema, 'a[b][0][c]=1&a[b][1][c]=x'),
        parse(schema, 'a[b][0][x]=1'),
        parse(schema, 'a=1'),
        parse(schema, 'a[b][0][c][d]=1'),
      ],
      [
        ['Missing required param: a.', 'parameter_missing'],
        ['Received unknown parameter: d', 'parameter_unknown'],
        ['Received unknown parameter: a[b][0][e]', 'parameter_unknown'],
        ['Invalid a[b][1][c]: Invalid integer', 'parameter_invalid'],
        ['Missing required param: a[b][0][c].', 'parameter_missing'],
        ['Invalid a: Invalid input: expected object, received string', 'parameter_invalid'],
        ['Invalid a[b][0][c]: Invalid input: expected string, received object', 'parameter_invalid'],
      ],
    )
  })

  test('a time range parameter includes its bounds with gte and lte, and excludes them with gt and lt', () => {
    const within = (form: string) => {
      const { created } = parse({ created: CreatedRange }, form) as { created: z.output<typeof CreatedRange> }
      return [9, 10, 11, 19, 20, 21].filter((at) => isWithin(at, created))
    }
    assert.deepEqual(
      [
        '',
        'created=10',
        'created[gt]=10&created[lt]=20',
        'created[gte]=10&created[lte]=20',
        'created[gt]=20',
        'created[lt]=10',
      ].map(within),
      [[9, 10, 11, 19, 20, 21], [10], [11, 19], [10, 11, 19, 20], [21], [9]],
    )
    assert.deepEqual(parse({ created: CreatedRange }, 'created[after]=1'), [
      'Received unknown parameter: created[after]',
      'parameter_unknown',
    ])
  })

  test('updating metadata merges keys: an empty value removes one key, an empty string all, and missing metadata none', () => {
    const old = { a: '1', b: '2' }
    const mergedWith = (form: string) => {
      const { metadata } = parse({ metadata: MetadataIn.optional() }, form) as {
        metadata?: z.output<typeof MetadataIn>
      }
      return mergeMetadata(old, metadata)
    }
    assert.deepEqual(
      ['', 'metadata[b]=&metadata[c]=3', 'metadata[a]=x', 'metadata=', 'metadata[0]=x&metadata[1]=y'].map(
        mergedWith,
      ),
      [old, { a: '1', c: '3' }, { a: 'x', b: '2' }, {}, { ...old, 0: 'x', 1: 'y' }],
    )
  })
})
