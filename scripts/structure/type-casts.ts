import { listBreaks } from './ratchet.ts'
import { isTest, type SourceFile } from './rules.ts'

/**
 * Counts the type casts of each package: `x as T`, except `as const`. A cast hides a wrong shape, where a type guard, `satisfies` or a
 * narrower signature would not. Returns one sentence for each package that has more or fewer than `allowed` lists for it.
 */
export const typeCastBreaks = (files: readonly SourceFile[], allowed: Readonly<Record<string, number>>) =>
  listBreaks(packagesOf(files), allowed, {
    count: countCasts,
    what: 'casts to a type',
    list: 'type-casts.json',
    advice: 'use a type guard, `satisfies` or a better declared type',
  })

/** Joins the code of each package, tests left out, to one file with the name of the package. */
function packagesOf(files: readonly SourceFile[]): SourceFile[] {
  const texts = Map.groupBy(
    files.filter(({ path }) => !isTest(path)),
    ({ path }) => path.slice(0, path.indexOf('/')),
  )
  return [...texts].map(([path, all]) => ({
    path,
    text: all.map(({ text }) => withoutTexts(text)).join('\n'),
  }))
}

const CAST = /(?<=[\w$)\]}'"`!>])\s+as\s+(?!const\b)(?=[\w$({['"`<])/g
const RENAMED_IMPORT = /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\*\s+as\s+[\w$]+|\{[^}]*\})/g

export const countTypeCasts = (text: string): number => countCasts(withoutTexts(text))

const countCasts = (code: string): number => [...code.replaceAll(RENAMED_IMPORT, '').matchAll(CAST)].length

const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const QUOTED = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`
/** A regular expression stands where a value begins; anywhere else a slash divides, or belongs to JSX. */
const PATTERN = String.raw`(?<=[(,=:[!&|?;]\s*|\breturn\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/`
const TOKEN = new RegExp(`${COMMENT}|${QUOTED}|${PATTERN}|[\`{}]|\\$\\{`, 'g')

/** Removes comments, and empties quoted texts, regular expressions and template literals. Keeps the code inside `${}`. */
function withoutTexts(text: string): string {
  let code = ''
  let from = 0
  /** What the open brackets belong to: a block of code, or the `${}` of a template literal. */
  const open: ('block' | 'template')[] = []
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [found] = token
    code += text.slice(from, token.index)
    from = TOKEN.lastIndex
    if (found === '{' || found === '${') open.push('block')
    const endsTemplate = found === '}' && open.pop() === 'template'
    if (found === '`' || endsTemplate) {
      from = endOfTemplateText(text, from)
      if (text[from - 1] === '{') open.push('template')
      TOKEN.lastIndex = from
      code += "''"
    } else if (found === '{' || found === '}' || found === '${') code += found
    else if (!found.startsWith('//') && !found.startsWith('/*')) code += "''"
  }
  return code + text.slice(from)
}

/** Returns the position after the next `${`, or after the end of the template literal. */
function endOfTemplateText(text: string, start: number): number {
  const end = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y
  end.lastIndex = start
  return end.exec(text) === null ? text.length : end.lastIndex
}
