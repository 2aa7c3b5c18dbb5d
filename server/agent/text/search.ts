import { posix } from 'node:path'
import type { Refusal, SearchRequest } from './jobs.ts'

/** As long as the longest path that a file may have (`pathProblem`). */
const GLOB_CHARS_MAX = 120
/** The maximum number of groups such as `{ts,tsx}`. Each group multiplies the patterns that the glob expands to. */
const GLOB_BRACES_MAX = 2
const LINE_CHARS_SHOWN = 200

/**
 * Returns the lines that contain the pattern as `path:line: text`. Stops at `hitsMax` + 1 lines. The additional line
 * shows that there are more.
 */
export function searchFiles(
  { files, pattern, glob, isRegex }: SearchRequest,
  hitsMax: number,
): { hits: string[] } | Refusal<'invalid_arguments'> {
  const problem = glob === undefined ? null : globProblem(glob)
  if (problem !== null) return searchRefusal(`glob: ${problem}`)
  const finds = isRegex ? regexFinder(pattern) : literalFinder(pattern)
  if (typeof finds === 'string') return searchRefusal(`pattern: ${finds}`)
  const hits: string[] = []
  for (const [path, text] of files) {
    if (glob !== undefined && !posix.matchesGlob(path, glob)) continue
    for (const [i, line] of text.split('\n').entries()) {
      if (finds(line)) hits.push(`${path}:${i + 1}: ${line.trim().slice(0, LINE_CHARS_SHOWN)}`)
      if (hits.length > hitsMax) return { hits }
    }
  }
  return { hits }
}

function globProblem(glob: string): string | null {
  if (glob.length > GLOB_CHARS_MAX) return `may have ${GLOB_CHARS_MAX} characters`
  const braces = glob.split('{').length - 1
  return braces > GLOB_BRACES_MAX ? `may have ${GLOB_BRACES_MAX} pairs of braces` : null
}

function literalFinder(pattern: string): (line: string) => boolean {
  const wanted = pattern.toLowerCase()
  return (line) => line.toLowerCase().includes(wanted)
}

function regexFinder(pattern: string): ((line: string) => boolean) | string {
  try {
    const wanted = new RegExp(pattern, 'i')
    return (line) => wanted.test(line)
  } catch (error) {
    return error instanceof Error ? error.message : 'not a regular expression'
  }
}

const searchRefusal = (message: string) => ({ refused: { code: 'invalid_arguments' as const, message } })
