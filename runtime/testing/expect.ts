interface Matchers {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toContain(expected: unknown): void
  toContainEqual(expected: unknown): void
  toMatch(expected: RegExp | string): void
  toMatchObject(expected: object): void
  toHaveLength(expected: number): void
  toBeTruthy(): void
  toBeFalsy(): void
  toBeNull(): void
  toBeUndefined(): void
  toBeDefined(): void
  toBeGreaterThan(expected: number): void
  toBeLessThan(expected: number): void
  /** Asserts that the promise rejects. With `code`, that it rejects with an `ApiError` of this code. */
  toReject(code?: string): Promise<void>
}

/** Returns assertions about a value. A failed assertion ends the test. */
export function expect(value: unknown): Matchers & { not: Matchers } {
  return { ...matchersFor(value, false), not: matchersFor(value, true) }
}

function matchersFor(value: unknown, isNegated: boolean): Matchers {
  const check = (holds: boolean, what: string, expected?: unknown) => {
    if (holds !== isNegated) return
    const wanted = expected === undefined ? '' : ` ${printValue(expected)}`
    throw new Error(`expected ${printValue(value)} ${isNegated ? 'not ' : ''}${what}${wanted}`)
  }
  const list = (): unknown[] => (Array.isArray(value) || value instanceof Set ? [...value] : [])
  return {
    toBe: (expected) => check(Object.is(value, expected), 'to be', expected),
    toEqual: (expected) => check(isEqual(value, expected), 'to equal', expected),
    toContain: (expected) =>
      check(
        typeof value === 'string' ? value.includes(String(expected)) : list().includes(expected),
        'to contain',
        expected,
      ),
    toContainEqual: (expected) =>
      check(
        list().some((item) => isEqual(item, expected)),
        'to contain',
        expected,
      ),
    toMatch: (expected) =>
      check(
        typeof expected === 'string'
          ? String(value).includes(expected)
          : // A copy, because a global expression continues after its last match.
            new RegExp(expected).test(String(value)),
        'to match',
        String(expected),
      ),
    toMatchObject: (expected) => check(isSubset(value, expected), 'to match', expected),
    toHaveLength: (expected) =>
      check((value as ArrayLike<unknown> | null)?.length === expected, 'to have the length', expected),
    toBeTruthy: () => check(Boolean(value), 'to be truthy'),
    toBeFalsy: () => check(!value, 'to be falsy'),
    toBeNull: () => check(value === null, 'to be null'),
    toBeUndefined: () => check(value === undefined, 'to be undefined'),
    toBeDefined: () => check(value !== undefined, 'to be defined'),
    toBeGreaterThan: (expected) => check(Number(value) > expected, 'to be greater than', expected),
    toBeLessThan: (expected) => check(Number(value) < expected, 'to be less than', expected),
    toReject: async (code) => {
      const error = await Promise.resolve(value).then(
        () => null,
        (reason: unknown) => reason as { code?: string },
      )
      const isRefused = error !== null && (code === undefined || error.code === code)
      check(
        isRefused,
        `to be refused (it was ${error === null ? 'fulfilled' : (error.code ?? String(error))})`,
        code,
      )
    },
  }
}

function printValue(value: unknown): string {
  const text = value instanceof Error ? String(value) : (jsonOf(value) ?? String(value))
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** Returns undefined for a value that has no JSON, such as a bigint or an object with a cycle. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Deep equality. A property that is undefined counts as absent. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b) || kindOf(a) !== kindOf(b)) return false
  // The content of these objects is not in their properties.
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof RegExp || a instanceof Error) return String(a) === String(b)
  if (isCollection(a) && isCollection(b)) return isEqual([...a], [...b])
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => isEqual(a[key], b[key]))
}

const kindOf = (value: object): string => Object.prototype.toString.call(value)

const isCollection = (value: object): value is Map<unknown, unknown> | Set<unknown> =>
  value instanceof Map || value instanceof Set

/** Lists must have the same length, and each entry must match. */
function isSubset(value: unknown, expected: unknown): boolean {
  if (!isObject(value) || !isObject(expected) || kindOf(value) !== kindOf(expected))
    return isEqual(value, expected)
  if (Array.isArray(value) && Array.isArray(expected) && value.length !== expected.length) return false
  const isPlain = Array.isArray(expected) || kindOf(expected) === '[object Object]'
  return isPlain
    ? Object.entries(expected).every(([key, wanted]) => isSubset(value[key], wanted))
    : isEqual(value, expected)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
