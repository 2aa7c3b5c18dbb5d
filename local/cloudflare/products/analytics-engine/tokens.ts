/** A token of the SQL dialect of Analytics Engine. */
export interface SqlToken {
  kind: 'word' | 'number' | 'text' | 'sign' | 'end'
  text: string
  /** The position, in characters from the start of the query. */
  at: number
}

/** A query that cannot be parsed. The message contains the position, as at the provider. */
export class SqlError extends Error {
  constructor(message: string, at: number) {
    super(`${message} at position ${at}`)
  }
}

const WHITE_SPACE = /\s*(?:--[^\n]*\s*)*/y
const TOKEN_PATTERNS: [SqlToken['kind'], RegExp][] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['text', /'(?:[^'\\]|\\.|'')*'/y],
  // A quoted name is a `word` like an unquoted one.
  ['word', /"[A-Za-z_][A-Za-z0-9_]*"|`[A-Za-z_][A-Za-z0-9_]*`/y],
  ['sign', /<=|>=|!=|<>|==|[-+*/%=<>(),;]/y],
]

/** Splits a query into tokens, of which the last marks the end. Throws a `SqlError`. */
export function readTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let at = skipSpace(sql, 0)
  while (at < sql.length) {
    const token = readToken(sql, at)
    tokens.push(token.token)
    at = skipSpace(sql, token.end)
  }
  return [...tokens, { kind: 'end', text: '', at: sql.length }]
}

function readToken(sql: string, at: number): { token: SqlToken; end: number } {
  for (const [kind, pattern] of TOKEN_PATTERNS) {
    pattern.lastIndex = at
    const [found] = pattern.exec(sql) ?? []
    if (found === undefined) continue
    return { token: { kind, text: unquote(kind, found), at }, end: at + found.length }
  }
  throw new SqlError(`Unexpected character ${JSON.stringify(sql[at])}`, at)
}

function unquote(kind: SqlToken['kind'], found: string): string {
  if (kind === 'word') return found.replaceAll(/["`]/g, '')
  if (kind !== 'text') return found
  return found
    .slice(1, -1)
    .replaceAll(/''|\\(.)/gs, (pair, escaped: string | undefined) => escaped ?? pair[0] ?? '')
}

function skipSpace(sql: string, at: number): number {
  WHITE_SPACE.lastIndex = at
  return at + (WHITE_SPACE.exec(sql)?.[0].length ?? 0)
}
