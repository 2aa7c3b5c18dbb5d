import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { expect } from './expect.ts'

/** Returns the message of a failed assertion; null when it holds. */
function failure(assertion: () => void): string | null {
  try {
    assertion()
    return null
  } catch (error) {
    assert.ok(error instanceof Error)
    return error.message
  }
}

/** Asserts that an assertion holds and its opposite fails, or vice versa. */
function requireOutcome(
  value: unknown,
  apply: (on: ReturnType<typeof expect>['not']) => void,
  holds: boolean,
) {
  const both = [failure(() => apply(expect(value))), failure(() => apply(expect(value).not))]
  assert.deepEqual(
    both.map((message) => message === null),
    [holds, !holds],
    JSON.stringify(both),
  )
}

const at = (time: string) => new Date(time)
const NOON = '2026-11-20T12:00:00Z'
const cycle: { self?: unknown } = {}
cycle.self = cycle

/** Pairs of values, and whether `toEqual` holds for them in both directions. */
const EQUAL: readonly [what: string, a: unknown, b: unknown, isEqual: boolean][] = [
  ['equal objects in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ['an undefined property and none', { a: 1, b: undefined }, { a: 1 }, true],
  ['a null property and none', { a: null }, {}, false],
  ['an object with one property more', { a: 1 }, { a: 1, b: 2 }, false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and an object with its entries', [1], { 0: 1 }, false],
  ['an empty list and an empty object', [], {}, false],
  ['NaN and NaN', [Number.NaN], [Number.NaN], true],
  ['0 and -0', 0, -0, false],
  ['a number and its text', 1, '1', false],
  ['null and an object', null, {}, false],
  ['two equal dates', { at: at(NOON) }, { at: at(NOON) }, true],
  ['two different dates', { at: at(NOON) }, { at: at('2026-11-21T12:00:00Z') }, false],
  ['a date and its text', at(NOON), at(NOON).toISOString(), false],
  ['a date and an empty object', at(NOON), {}, false],
  ['two equal sets', new Set([1, 2]), new Set([1, 2]), true],
  ['two different sets', new Set([1]), new Set([2]), false],
  ['two equal maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]]), true],
  ['two maps with different values', new Map([['a', 1]]), new Map([['a', 2]]), false],
  ['a set and a map', new Set(), new Map(), false],
  ['two errors with different messages', new Error('a'), new Error('b'), false],
  ['two different regular expressions', /a/, /b/, false],
  ['equal bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 2), true],
  ['different bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
]

describe('the assertions in the tests of an app', () => {
  for (const [what, a, b, isEqual] of EQUAL)
    test(`toEqual ${isEqual ? 'holds' : 'fails'} for ${what}`, () => {
      requireOutcome(a, (on) => on.toEqual(b), isEqual)
      requireOutcome(b, (on) => on.toEqual(a), isEqual)
    })

  test('toMatch finds a text literally, and a regular expression by its rules', () => {
    requireOutcome('The total (2) is $5.', (on) => on.toMatch('total (2) is $5.'), true)
    requireOutcome('The total is 15', (on) => on.toMatch('1.'), false)
    requireOutcome('The total is 15', (on) => on.toMatch(/1.$/), true)
    requireOutcome('(', (on) => on.toMatch('('), true)
  })

  test('toMatch gives the same result each time for a regular expression with the flag g', () => {
    const expression = /a/g
    for (let n = 0; n < 3; n++) requireOutcome('a', (on) => on.toMatch(expression), true)
  })

  test('toMatchObject compares only the expected properties, also in nested objects, and lists only of equal length', () => {
    const team = { name: 'A', owner: { id: 'u_1', role: 'owner' }, tags: ['x', 'y'] }
    requireOutcome(team, (on) => on.toMatchObject({ owner: { role: 'owner' } }), true)
    requireOutcome(team, (on) => on.toMatchObject({ owner: { role: 'member' } }), false)
    requireOutcome(team, (on) => on.toMatchObject({ tags: ['x'] }), false)
    requireOutcome([team, team], (on) => on.toMatchObject([{ name: 'A' }, { tags: ['x', 'y'] }]), true)
    requireOutcome([team], (on) => on.toMatchObject([{ name: 'B' }]), false)
    requireOutcome({ 0: team }, (on) => on.toMatchObject([{ name: 'A' }]), false)
    requireOutcome(team, (on) => on.toMatchObject({ other: undefined }), true)
    requireOutcome({ at: at(NOON) }, (on) => on.toMatchObject({ at: at(NOON) }), true)
    requireOutcome({ at: at(NOON) }, (on) => on.toMatchObject({ at: at('2026-11-21T12:00:00Z') }), false)
    for (const value of [null, undefined, 'A', 7])
      requireOutcome(value, (on) => on.toMatchObject({ name: 'A' }), false)
  })

  test('toContain looks into strings, lists and sets, and fails for any other value', () => {
    requireOutcome('plants', (on) => on.toContain('ant'), true)
    requireOutcome(['a', 'b'], (on) => on.toContain('b'), true)
    requireOutcome(new Set(['a']), (on) => on.toContain('a'), true)
    requireOutcome([{ a: 1 }], (on) => on.toContain({ a: 1 }), false)
    requireOutcome([{ a: 1 }], (on) => on.toContainEqual({ a: 1 }), true)
    for (const value of [null, undefined, 7, {}]) requireOutcome(value, (on) => on.toContain('a'), false)
  })

  test('assertions of length, truth and order compare as JavaScript does, and a missing value has no length and no order', () => {
    requireOutcome('abc', (on) => on.toHaveLength(3), true)
    requireOutcome(undefined, (on) => on.toHaveLength(0), false)
    requireOutcome(0, (on) => on.toBeTruthy(), false)
    requireOutcome('', (on) => on.toBeFalsy(), true)
    requireOutcome(null, (on) => on.toBeNull(), true)
    requireOutcome(undefined, (on) => on.toBeNull(), false)
    requireOutcome(null, (on) => on.toBeDefined(), true)
    requireOutcome(undefined, (on) => on.toBeUndefined(), true)
    requireOutcome(3, (on) => on.toBeGreaterThan(3), false)
    requireOutcome(2, (on) => on.toBeLessThan(3), true)
    requireOutcome(undefined, (on) => on.toBeGreaterThan(-1), false)
    requireOutcome(at(NOON), (on) => on.toBe(at(NOON)), false)
  })

  test('a failed assertion says what was expected and what was found, whatever the values are', () => {
    assert.equal(
      failure(() => expect({ a: 1 }).toEqual({ a: 2 })),
      'expected {"a":1} to equal {"a":2}',
    )
    assert.equal(
      failure(() => expect(1).not.toBe(1)),
      'expected 1 not to be 1',
    )
    assert.equal(
      failure(() => expect(1n).toBe(2n)),
      'expected 1 to be 2',
    )
    assert.equal(
      failure(() => expect(cycle).toBe(1)),
      'expected [object Object] to be 1',
    )
    assert.equal(
      failure(() => expect(new Error('late')).toBeNull()),
      'expected Error: late to be null',
    )
    assert.ok((failure(() => expect('x'.repeat(5000)).toBe('')) ?? '').length < 400)
  })

  test('toReject holds only for a promise that rejects, and with a code only if the error has that code', async () => {
    const refused = () => Promise.reject(new ApiError('conflict', 'Taken.'))
    await expect(refused()).toReject()
    await expect(refused()).toReject('conflict')
    await expect(Promise.resolve(1)).not.toReject()
    await assert.rejects(expect(refused()).toReject('not_found'), /it was conflict\) "not_found"$/)
    await assert.rejects(expect(Promise.resolve(1)).toReject(), /it was fulfilled/)
    await assert.rejects(expect(Promise.reject(new Error('late'))).toReject('conflict'), /it was Error: late/)
  })
})
