/**
 * The maximum depth of nesting. Parsers recurse once per level, so deep nesting overflows the stack. Code printers indent
 * each line by its level, so the output grows with the square of the depth. Handwritten code seldom has 30 levels.
 */
const LEVELS_MAX = 200

const OPENING_BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
// Strings and comments extend to their end or, when unclosed, to the end of the line or file, so that each character is read
// once. An apostrophe after a letter is punctuation, as in "don't", and begins no string.
const STRING_TOKEN = String.raw`"(?:[^"\\\n]|\\.)*"?|(?<![A-Za-z])'(?:[^'\\\n]|\\.)*'?`
const BLOCK_COMMENT = String.raw`\/\*[^]*?(?:\*\/|$)`
const BRACKET_TOKEN = String.raw`[()[\]{}]`
const TAG_TOKEN = String.raw`<\/[\w.:-]*|\/>|(?<=^|[\s([{},;=&|?:>])<(?=>)|(?<=^|[\s([{},;=&|?:>])<[A-Za-z][\w.:-]*(?=[\s/>])(?! extends\b)`
const TOKENS_BY_TYPE: Record<string, RegExp> = {
  json: tokenPattern(STRING_TOKEN, BRACKET_TOKEN),
  webmanifest: tokenPattern(STRING_TOKEN, BRACKET_TOKEN),
  css: tokenPattern(BLOCK_COMMENT, STRING_TOKEN, BRACKET_TOKEN),
  ts: tokenPattern(BLOCK_COMMENT, String.raw`\/\/.*`, STRING_TOKEN, BRACKET_TOKEN),
  tsx: tokenPattern(BLOCK_COMMENT, String.raw`\/\/.*`, STRING_TOKEN, TAG_TOKEN, BRACKET_TOKEN),
}

/** Returns an error message when a file nests brackets or elements too deeply, else null. */
export function nestingProblem(path: string, text: string): string | null {
  const pattern = TOKENS_BY_TYPE[path.slice(path.lastIndexOf('.') + 1)]
  if (pattern === undefined || !isDeep(text, pattern)) return null
  return `${path} nests brackets or elements more than ${LEVELS_MAX} levels deep`
}

/** Reads the text once. An unclosed bracket adds a level until the enclosing bracket is closed. */
function isDeep(text: string, pattern: RegExp): boolean {
  const open: string[] = []
  const counts = new Map<string, number>()
  const push = (name: string) => {
    open.push(name)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const pop = () => {
    const name = open.pop() ?? ''
    counts.set(name, (counts.get(name) ?? 1) - 1)
    return name
  }
  for (const [token] of text.matchAll(pattern)) {
    if (token === '/>') {
      if (open.at(-1)?.startsWith('<') === true) pop()
    } else if (token.startsWith('</')) close(`<${token.slice(2)}`)
    else if (token in OPENING_BRACKETS) close(OPENING_BRACKETS[token] ?? '')
    else if ('([{<'.includes(token[0] ?? ' ')) push(token)
    if (open.length > LEVELS_MAX) return true
  }
  return false

  function close(name: string): void {
    if ((counts.get(name) ?? 0) === 0) return
    while (pop() !== name);
  }
}

function tokenPattern(...parts: string[]): RegExp {
  return new RegExp(parts.join('|'), 'g')
}
