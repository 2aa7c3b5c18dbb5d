/**
 * Finds the line and column of a value in JSON text by its path (`collections.plants.fields.0`), so that an
 * error about a manifest can point at its place. Returns the place of the nearest ancestor that exists.
 */
export function placeInJson(text: string, path: readonly string[]): { line: number; column: number } {
  let at = 0
  let from = skipBlanks(text, 0)
  for (const key of path) {
    const child = text[from] === '{' ? findMember(text, from, key) : findItem(text, from, Number(key))
    if (child === null) break
    at = child.at
    from = child.value
  }
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

interface Place {
  /** Where the member or item begins, and where its value begins. */
  at: number
  value: number
}

function findMember(text: string, object: number, wanted: string): Place | null {
  for (let i = skipBlanks(text, object + 1); text[i] === '"'; i = skipBlanks(text, i)) {
    const end = skipString(text, i)
    const value = skipBlanks(text, skipBlanks(text, end) + 1)
    if (text.slice(i + 1, end - 1) === wanted) return { at: i, value }
    i = skipBlanks(text, skipValue(text, value))
    if (text[i] !== ',') return null
    i++
  }
  return null
}

function findItem(text: string, array: number, wanted: number): Place | null {
  if (text[array] !== '[') return null
  for (let i = skipBlanks(text, array + 1), n = 0; i < text.length && text[i] !== ']'; n++) {
    if (n === wanted) return { at: i, value: i }
    i = skipBlanks(text, skipValue(text, i))
    if (text[i] !== ',') return null
    i = skipBlanks(text, i + 1)
  }
  return null
}

function skipBlanks(text: string, from: number): number {
  let i = from
  while (' \t\r\n'.includes(text[i] ?? 'x')) i++
  return i
}

function skipString(text: string, from: number): number {
  let i = from + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

function skipValue(text: string, from: number): number {
  if (text[from] === '"') return skipString(text, from)
  if (text[from] !== '{' && text[from] !== '[') {
    const rest = /[,\]}\s]/.exec(text.slice(from))
    return rest ? from + rest.index : text.length
  }
  let depth = 0
  for (let i = from; i < text.length;) {
    const letter = text[i]
    if (letter === '"') {
      i = skipString(text, i)
      continue
    }
    if (letter === '{' || letter === '[') depth++
    if (letter === '}' || letter === ']') depth--
    i++
    if (depth === 0) return i
  }
  return text.length
}
