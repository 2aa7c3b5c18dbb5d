import { isTest, type SourceFile } from './rules.ts'

interface Counted {
  count: (text: string) => number
  /** What a file does, such as `casts JSON`. */
  what: string
  /** The file with the allowed numbers. */
  list: string
  advice: string
}

/**
 * Counts something in every file except tests. A file may have at most the listed number, and the listed number may not be higher than
 * needed, so the list only shrinks. Returns one sentence for each violation.
 */
export function listBreaks(
  files: readonly SourceFile[],
  allowed: Readonly<Record<string, number>>,
  { count, what, list, advice }: Counted,
): string[] {
  const found = new Map(
    files.filter(({ path }) => !isTest(path)).map(({ path, text }) => [path, count(text)]),
  )
  return [...new Set([...found.keys(), ...Object.keys(allowed)])].flatMap((path) => {
    const [number, max] = [found.get(path) ?? 0, allowed[path] ?? 0]
    if (number > max) return [`${path} ${what} ${number} times, ${max} allowed: ${advice}`]
    return number < max ? [`${path} ${what} ${number} times: lower its number in ${list}`] : []
  })
}
