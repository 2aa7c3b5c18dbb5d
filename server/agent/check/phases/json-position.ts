import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser'

/**
 * Finds the line and column of a value in JSON text by its path (`collections.plants.fields.0`), so that an error about
 * a manifest can point to the value. Returns the position of the nearest ancestor that exists.
 */
export function positionInJson(text: string, path: readonly string[]): { line: number; column: number } {
  // The text is not parsed for an empty path. A text that nests too deep is reported with an empty path, because the parser recurses once
  // per level and would overflow the stack.
  if (path.length === 0) return { line: 1, column: 1 }
  let node = parseTree(text)
  let at = 0
  for (const key of path) {
    const child = node && findNodeAtLocation(node, [node.type === 'array' ? Number(key) : key])
    if (!child) break
    node = child
    // The position of a property is its key, the position of an array item is its value.
    at = (child.parent?.type === 'property' ? child.parent : child).offset
  }
  return positionAt(text, at)
}

/** Returns the line and column of the first syntax error of JSON text. The text must not nest too deep for the recursive parser. */
export function syntaxErrorInJson(text: string): { line: number; column: number } {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  return positionAt(text, errors[0]?.offset ?? 0)
}

function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
