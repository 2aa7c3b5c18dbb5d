import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { cleanBody, declaredQuery, validate } from './validate.ts'

const urlWith = (query: string) => new URL(`http://localhost/api/v1/projects${query}`)
const Query = z.object({ q: z.string().optional() })
const Settings = z.object({ settings: z.record(z.string(), z.unknown()) })

/** Validates in the same order as a route: first the types of the fields, then the characters of their strings. */
function parseSettings(source: string): unknown {
  return cleanBody(validate(Settings, JSON.parse(source), 'body'), source)
}

describe('validating input', () => {
  test('a query parameter given twice is refused with an error that names it, and an undeclared parameter is ignored', () => {
    assert.throws(() => declaredQuery(urlWith('?q=1&q=2'), Query), /^ApiError: q: must be given once/)
    assert.deepEqual(declaredQuery(urlWith('?q=1&utm=a&utm=b&x=%00&__proto__=1'), Query), { q: '1' })
  })

  test('an undeclared field of a request body is removed, whatever its value', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    assert.deepEqual(parseSettings(String.raw`{"settings":{},"note":"a\u0000b","deep":${deep}}`), {
      settings: {},
    })
  })

  test('NUL in a request is refused wherever it would be stored, in values and in the names of free-form fields', () => {
    const refusal = /^ApiError: settings(\.a)?: must not contain a NUL character/
    assert.throws(() => parseSettings(String.raw`{"settings":{"a":"x\u0000"}}`), refusal)
    assert.throws(() => parseSettings(String.raw`{"settings":{"\u0000":1}}`), refusal)
  })

  test('a lone surrogate in a value or a field name of a request becomes the replacement character', () => {
    assert.deepEqual(parseSettings(String.raw`{"settings":{"\ud800":["\udfff"]}}`), {
      settings: { '\ufffd': ['\ufffd'] },
    })
  })

  test('a request body nested deeply enough to exhaust the stack is refused with an error that names the field', () => {
    const nestText = (text: string, levels: number) => `${'['.repeat(levels)}${text}${']'.repeat(levels)}`
    const refusal = /^ApiError: settings: is nested too deeply/
    assert.throws(() => parseSettings(`{"settings":{"a":${nestText('1', 20_000)}}}`), refusal)
    assert.throws(
      () => parseSettings(`{"settings":{"a":${nestText(String.raw`"\ud800"`, 20_000)}}}`),
      refusal,
    )
    assert.throws(() => parseSettings(`{"settings":{"a":${nestText('1', 100)}}}`), refusal)
    assert.ok(parseSettings(`{"settings":{"a":${nestText('1', 99)}}}`))
  })

  test('a validation error repeats a field name chosen by the caller only when it is a plain word', () => {
    const Named = z.object({ secrets: z.record(z.string(), z.string()) })
    for (const name of ['', 'a b\n', '<script>', 'x'.repeat(1_000)])
      assert.throws(() => validate(Named, { secrets: { [name]: 1 } }, 'body'), /^ApiError: secrets: /)
    assert.throws(() => validate(Named, { secrets: { token: 1 } }, 'body'), /^ApiError: secrets\.token: /)
    assert.throws(() => validate(Named, [], 'body'), /^ApiError: body: /)
  })
})
