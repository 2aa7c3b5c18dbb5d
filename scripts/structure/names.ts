import type { SourceFile } from './rules.ts'

/** At most this share of the module constants has a name of one word, such as `log`. It may only fall. */
const ONE_WORD_CONSTANTS_PERCENT_MAX = 6

/** At most this share of the functions that a file does not export has a name of one word, such as `read`. It may only fall. */
const ONE_WORD_FUNCTIONS_PERCENT_MAX = 2

/** A function name in more files says too little about what each of the functions returns. */
const FILES_PER_FUNCTION_NAME_MAX = 3

const CONSTANT = /^(export )?(?:const|let) (\w+)(.*)$/gm
/** Matches what follows the name of a function that is declared as a constant. */
const FUNCTION_VALUE = /^(?:: .*?)? = (?:async )?(?:\(|<|\w+ =>)/
const FUNCTION = /^(export )?(?:async )?function\*? (\w+)/gm
/** Names in PascalCase are excluded, because a schema or component is named after its type. */
const ONE_WORD = /^(?:[A-Z][A-Z0-9]*|[a-z][a-z0-9]*)$/
const PASCAL_CASE = /^[A-Z]\w*[a-z]/

/** Returns one sentence for each violation of the rules for names. Tests and generated files are exempt. */
export function namingBreaks(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => !/\.test\.|(?:^|\/)testing\b|\.gen\./.test(path))
  return [...oneWordBreaks(sources), ...repeatedNameBreaks(sources)]
}

function oneWordBreaks(sources: readonly SourceFile[]): string[] {
  const privateFunctions = sources.flatMap(functionsOf).filter(({ isExported }) => !isExported)
  return [
    ...tooManyShort(sources.flatMap(constantsOf), {
      what: 'module constants',
      percentMax: ONE_WORD_CONSTANTS_PERCENT_MAX,
      remedy: 'say what they hold',
    }),
    ...tooManyShort(
      privateFunctions.map(({ name }) => name),
      {
        what: 'private functions',
        percentMax: ONE_WORD_FUNCTIONS_PERCENT_MAX,
        remedy: 'say what they return or do',
      },
    ),
  ]
}

function tooManyShort(
  names: readonly string[],
  { what, percentMax, remedy }: { what: string; percentMax: number; remedy: string },
): string[] {
  const short = names.filter((name) => ONE_WORD.test(name))
  if (short.length * 100 <= names.length * percentMax) return []
  return [
    `${short.length} of ${names.length} ${what} have a name of one word, more than ${percentMax} %: ${remedy}`,
  ]
}

function repeatedNameBreaks(sources: readonly SourceFile[]): string[] {
  const declared = sources.flatMap((file) =>
    [...new Set(functionsOf(file).map(({ name }) => name))].map((name) => ({ name, path: file.path })),
  )
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > FILES_PER_FUNCTION_NAME_MAX)
    .map(([name, places]) => `${places.length} files declare a function ${name}: say what each one returns`)
}

/** Returns the names of the constants at the top of a file that hold no function. */
const constantsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(CONSTANT)]
    .filter(([, , name = '', rest = '']) => !PASCAL_CASE.test(name) && !FUNCTION_VALUE.test(rest))
    .map(([, , name = '']) => name)

const functionsOf = ({ text }: SourceFile): { name: string; isExported: boolean }[] =>
  [
    ...text.matchAll(FUNCTION),
    ...[...text.matchAll(CONSTANT)].filter(([, , , rest = '']) => FUNCTION_VALUE.test(rest)),
  ].map(([, exported, name = '']) => ({ name, isExported: exported !== undefined }))
