import { BLOB_COLUMNS, DOUBLE_COLUMNS } from '../../observability/telemetry/schema.ts'
import { SQL_FUNCTIONS, type SqlPart, type SqlType } from './functions.ts'
import { SqlError, type SqlToken } from './tokens.ts'

/** The columns, in the order of `SELECT *`. */
export const DATASET_COLUMNS: Record<string, SqlPart> = {
  dataset: { sql: 'dataset', type: 'String' },
  timestamp: { sql: '(at / 1000)', type: 'DateTime' },
  // The local cloud stores every data point, so each row counts once.
  _sample_interval: { sql: '1', type: 'UInt32' },
  index1: { sql: 'index1', type: 'String' },
  ...Object.fromEntries(BLOB_COLUMNS.map((name) => [name, { sql: name, type: 'String' as const }])),
  ...Object.fromEntries(DOUBLE_COLUMNS.map((name) => [name, { sql: name, type: 'Float64' as const }])),
}

const UNIT_SECONDS: Record<string, number> = {
  SECOND: 1,
  MINUTE: 60,
  HOUR: 3600,
  DAY: 86_400,
  WEEK: 604_800,
}

/** The binary operators by precedence, lowest first. All are left-associative. */
const PRECEDENCE_LEVELS: Record<string, (left: SqlPart, right: SqlPart) => SqlPart>[] = [
  { OR: logicalOperation('OR') },
  { AND: logicalOperation('AND') },
  {
    '=': logicalOperation('='),
    '==': logicalOperation('='),
    '!=': logicalOperation('<>'),
    '<>': logicalOperation('<>'),
    '<': logicalOperation('<'),
    '>': logicalOperation('>'),
    '<=': logicalOperation('<='),
    '>=': logicalOperation('>='),
    LIKE: logicalOperation('LIKE'),
  },
  { '+': numericOperation('+'), '-': difference },
  {
    '*': numericOperation('*'),
    '/': (left, right) => ({ sql: `(${left.sql} * 1.0 / ${right.sql})`, type: 'Float64' }),
    '%': numericOperation('%'),
  },
]
const COMPARISON_LEVEL = 2
const DEPTH_MAX = 60

function logicalOperation(operator: string) {
  return (left: SqlPart, right: SqlPart): SqlPart => ({
    sql: `(${left.sql} ${operator} ${right.sql})`,
    type: 'UInt8',
  })
}

function numericOperation(operator: string) {
  return (left: SqlPart, right: SqlPart): SqlPart => ({
    sql: `(${left.sql} ${operator} ${right.sql})`,
    type: left.type === 'UInt32' || left.type === 'UInt8' ? right.type : left.type,
  })
}

/** The difference of two times is a number of seconds. */
function difference(left: SqlPart, right: SqlPart): SqlPart {
  const part = numericOperation('-')(left, right)
  return left.type === 'DateTime' && right.type === 'DateTime' ? { ...part, type: 'UInt32' } : part
}

/** Parses the tokens of a query and translates expressions to SQLite. */
export class SqlParser {
  readonly #tokens: SqlToken[]
  readonly #aliases: ReadonlyMap<string, SqlPart>
  /** The query's string literals, which SQLite binds in order from `?1`. */
  readonly params: string[] = []
  #index = 0
  #depth = 0

  constructor(tokens: SqlToken[], aliases: ReadonlyMap<string, SqlPart>) {
    this.#tokens = tokens
    this.#aliases = aliases
  }

  get next(): SqlToken {
    return this.#tokens[this.#index] ?? { kind: 'end', text: '', at: 0 }
  }

  /** Consumes the next token if it is this keyword or symbol. Returns whether it was. */
  take(text: string): boolean {
    const { kind, text: found } = this.next
    if (kind === 'text' || kind === 'number' || found.toUpperCase() !== text) return false
    this.#index++
    return true
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.problem(`Expected ${text}`)
  }

  word(what: string): string {
    const { kind, text } = this.next
    if (kind !== 'word') throw this.problem(`Expected ${what}`)
    this.#index++
    return text
  }

  wholeNumber(): number {
    const { kind, text } = this.next
    if (kind !== 'number' || !/^\d{1,9}$/.test(text)) throw this.problem('Expected a whole number')
    this.#index++
    return Number(text)
  }

  problem(message: string): SqlError {
    const { kind, text, at } = this.next
    return new SqlError(`${message}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}`, at)
  }

  list(): SqlPart[] {
    const parts = [this.expression()]
    while (this.take(',')) parts.push(this.expression())
    return parts
  }

  expression(): SqlPart {
    return this.#parseNested(() => this.#parseLevel(0))
  }

  /** Parses a nested part. Throws when the nesting is so deep that parsing would overflow the stack. */
  #parseNested(parse: () => SqlPart): SqlPart {
    if (++this.#depth > DEPTH_MAX) throw this.problem('The query is too deep')
    const part = parse()
    this.#depth--
    return part
  }

  #parseLevel(level: number): SqlPart {
    const operators = PRECEDENCE_LEVELS[level]
    if (operators === undefined) return this.#parseUnary()
    if (level === COMPARISON_LEVEL && this.take('NOT')) {
      return { sql: `(NOT ${this.#parseNested(() => this.#parseLevel(level)).sql})`, type: 'UInt8' }
    }
    let left = this.#parseLevel(level + 1)
    for (;;) {
      const operator = Object.keys(operators).find((one) => this.take(one))
      if (operator !== undefined) left = operators[operator]?.(left, this.#parseLevel(level + 1)) ?? left
      else if (level === COMPARISON_LEVEL && this.#isRange()) left = this.#parseRange(left)
      else return left
    }
  }

  #isRange(): boolean {
    return ['NOT', 'IN', 'BETWEEN'].includes(this.next.kind === 'word' ? this.next.text.toUpperCase() : '')
  }

  /** Parses `[NOT] IN (...)`, `[NOT] BETWEEN a AND b` and `NOT LIKE a`. */
  #parseRange(left: SqlPart): SqlPart {
    const not = this.take('NOT') ? 'NOT ' : ''
    if (this.take('BETWEEN')) {
      const low = this.#parseLevel(COMPARISON_LEVEL + 1)
      this.expect('AND')
      const high = this.#parseLevel(COMPARISON_LEVEL + 1)
      return { sql: `(${left.sql} ${not}BETWEEN ${low.sql} AND ${high.sql})`, type: 'UInt8' }
    }
    if (not !== '' && this.take('LIKE')) {
      return { sql: `(${left.sql} NOT LIKE ${this.#parseLevel(COMPARISON_LEVEL + 1).sql})`, type: 'UInt8' }
    }
    this.expect('IN')
    this.expect('(')
    const items = this.list()
    this.expect(')')
    return { sql: `(${left.sql} ${not}IN (${items.map(({ sql }) => sql).join(', ')}))`, type: 'UInt8' }
  }

  #parseUnary(): SqlPart {
    if (this.take('-')) {
      const { sql, type } = this.#parseNested(() => this.#parseUnary())
      return { sql: `(- ${sql})`, type }
    }
    const { kind, text } = this.next
    if (kind === 'number') {
      this.#index++
      return { sql: text, type: /^\d+$/.test(text) ? 'UInt32' : 'Float64' }
    }
    if (kind === 'text') {
      this.#index++
      return { sql: `?${this.params.push(text)}`, type: 'String' }
    }
    if (this.take('(')) {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    if (this.take('INTERVAL')) return this.#parseInterval()
    return this.#parseNamed()
  }

  #parseInterval(): SqlPart {
    const { kind, text } = this.next
    if ((kind !== 'text' && kind !== 'number') || !/^\d{1,9}$/.test(text))
      throw this.problem("Expected a number like '1'")
    this.#index++
    const unit = this.next
    const seconds = UNIT_SECONDS[this.word('a unit of time').toUpperCase().replace(/S$/, '')]
    if (seconds === undefined) throw new SqlError(`Unknown unit ${unit.text}`, unit.at)
    return { sql: String(Number(text) * seconds), type: 'UInt32' }
  }

  #parseNamed(): SqlPart {
    const { at } = this.next
    const name = this.word('a column, a number or a text')
    if (this.take('(')) return this.#parseCall(name, at)
    const column =
      this.#aliases.get(name) ??
      (Object.hasOwn(DATASET_COLUMNS, name.toLowerCase()) ? DATASET_COLUMNS[name.toLowerCase()] : undefined)
    if (column === undefined) throw new SqlError(`Unknown column ${name}`, at)
    return column
  }

  #parseCall(name: string, at: number): SqlPart {
    const known = Object.hasOwn(SQL_FUNCTIONS, name.toLowerCase())
      ? SQL_FUNCTIONS[name.toLowerCase()]
      : undefined
    if (known === undefined) throw new SqlError(`Unknown function ${name}`, at)
    const isDistinct = this.take('DISTINCT')
    const args =
      this.take(')') || (known.takes[0] === 0 && this.take('*') && this.take(')')) ? [] : this.list()
    if (args.length > 0) this.expect(')')
    const [least, most] = known.takes
    const made = args.length < least || args.length > most ? null : known.make(args, isDistinct)
    if (made === null) throw new SqlError(`${name} cannot be called like this`, at)
    return made
  }
}

/** 64-bit integers become strings, as at the provider. */
export function toJsonValue(value: unknown, type: SqlType): unknown {
  if (value === null) return null
  if (type === 'DateTime') return new Date(Number(value) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  if (type === 'UInt64') return String(value)
  return type === 'String' ? String(value) : Number(value)
}
