/**
 * Splits SQL text into statements. Omits empty statements and those with only comments. Ignores semicolons in literals, quoted names,
 * comments and trigger bodies.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  let words: string[] = []
  // The number of open BEGIN and CASE blocks in a trigger. A semicolon ends the statement only when this number is 0.
  let depth = 0
  const finishStatement = (end: number) => {
    if (words.length > 0) statements.push(sql.slice(start, end).trim())
    start = end + 1
    words = []
    depth = 0
  }
  for (const { 0: token, index } of sql.matchAll(SQL_TOKEN)) {
    if (token === ';') {
      if (depth === 0) finishStatement(index)
    } else if (!token.startsWith('--') && !token.startsWith('/*')) {
      const word = token.toUpperCase()
      if (words.length < TRIGGER_WORDS) words.push(word)
      if (isTrigger(words)) {
        if (word === 'BEGIN' || word === 'CASE') depth++
        else if (word === 'END') depth--
      }
    }
  }
  finishStatement(sql.length)
  return statements
}

// Matches comments, literals and quoted names (an unterminated one extends to the end), words, and single other characters.
const SQL_TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z_0-9$]+|\S/g

const TRIGGER_WORDS = 3

/** Matches CREATE [TEMP | TEMPORARY] TRIGGER. */
function isTrigger([create, second, third]: string[]): boolean {
  if (create !== 'CREATE') return false
  return second === 'TRIGGER' || (/^TEMP(?:ORARY)?$/.test(second ?? '') && third === 'TRIGGER')
}
