import { listBreaks } from './ratchet.ts'
import type { SourceFile } from './rules.ts'

/**
 * Counts the casts of JSON: `JSON.parse(...) as T`, which checks nothing, and casts to `JsonText`. Returns one sentence for each file that
 * has more or fewer than `allowed` lists for it.
 */
export const castBreaks = (files: readonly SourceFile[], allowed: Readonly<Record<string, number>>) =>
  listBreaks(files, allowed, {
    count: countJsonCasts,
    what: 'casts JSON',
    list: 'json-casts.json',
    advice: 'type its source as JsonText, or check the value',
  })

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
