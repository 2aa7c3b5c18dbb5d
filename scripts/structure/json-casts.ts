import { isTest, type SourceFile } from './rules.ts'

/**
 * Counts the casts of JSON: `JSON.parse(...) as T`, which checks nothing, and casts to `JsonText`. A file may have at most the listed
 * number of casts, and the listed number may not be higher than needed, so the list only shrinks. Returns one sentence for each violation.
 */
export function castBreaks(
  files: readonly SourceFile[],
  allowed: Readonly<Record<string, number>>,
): string[] {
  const found = new Map(
    files.filter(({ path }) => !isTest(path)).map((file) => [file.path, countJsonCasts(file.text)]),
  )
  return [...new Set([...found.keys(), ...Object.keys(allowed)])].flatMap((path) => {
    const [count, max] = [found.get(path) ?? 0, allowed[path] ?? 0]
    if (count > max)
      return [
        `${path} casts JSON ${count} times, ${max} allowed: type its source as JsonText, or check the value`,
      ]
    return count < max ? [`${path} casts JSON ${count} times: lower its number in json-casts.json`] : []
  })
}

export function countJsonCasts(text: string): number {
  const parsed = [...text.matchAll(/\bJSON\.parse\(/g)].filter(({ index, 0: call }) =>
    /^\s*as\b/.test(text.slice(endOfCall(text, index + call.length))),
  )
  return parsed.length + [...text.matchAll(/\bas JsonText</g)].length
}

/** Returns the position after the closing bracket of a call whose arguments begin at `start`. */
function endOfCall(text: string, start: number): number {
  // A quoted text may contain brackets. A template literal is read as code, because it may contain calls.
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[()]/g
  tokens.lastIndex = start
  let depth = 1
  while (depth > 0) {
    const token = tokens.exec(text)
    if (token === null) return text.length
    if (token[0] === '(') depth += 1
    else if (token[0] === ')') depth -= 1
  }
  return tokens.lastIndex
}
