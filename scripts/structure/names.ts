import type { SourceFile } from './rules.ts'

/** At most this share of the module constants has a name of one word, such as `log`. This limit may only fall. */
const ONE_WORD_CONSTANTS_PERCENT_MAX = 6

/** At most this share of the functions that a file does not export has a name of one word, such as `read`. This limit may only fall. */
const ONE_WORD_FUNCTIONS_PERCENT_MAX = 2

/** At most this share of the types and interfaces has a name of one word, such as `Row`. This limit may only fall. */
const ONE_WORD_TYPES_PERCENT_MAX = 14

/** A name that more files declare says too little about what each function returns, or what each type contains. */
const FILES_PER_NAME_MAX = 3

/** Each `object-types.ts` in the runtime declares its RPC methods as `Methods` and the data that a move copies as `Head`. */
const OBJECT_TYPES = /^runtime\/[^/]+\/object-types\.ts$/
const OBJECT_TYPE_NAMES: ReadonlySet<string> = new Set(['Methods', 'Head'])

/**
 * The modules that apps import. A function that exists on the server and in the browser has one name in both. Add only such modules.
 */
const APP_MODULE = /^runtime\/(?:\w+\/(?:client|server)|data\/client\/data)\.ts$/

/** These files contain the sources of workers as text, and each worker exports classes under the names that the others bind. */
const WORKER_TEXTS = /^server\/agent\/check\/sandbox\//

/** Classes that Cloudflare finds by name: the app's worker and the live worker each export the class of a project's workflows. */
const BOUND_CLASSES: ReadonlySet<string> = new Set(['AppFlow'])

/** A type name with such a last word says what happened, or is incomplete: `Unlinked`, `MailWith`. */
const DANGLING_WORD =
  /(?:ed|ing)$|^(?:About|After|As|At|Before|By|For|From|In|Into|Not|Off|On|Out|Than|To|Until|Via|With|Without)$|^(?:Bound|Built|Chosen|Found|Given|Held|Kept|Known|Lost|Made|Said|Seen|Sent|Shown|Taken|Told|Written)$/

/** Nouns of the field that end like a participle, and compound nouns that end with a preposition. Add only such nouns. */
const NOUNS: ReadonlySet<string> = new Set([
  'Billing',
  'Binding',
  'Finding',
  'Keyring',
  'Opening',
  'Reading',
  'Rendering',
  'Setting',
  'SignIn',
])

/** A type name with such a last word does not say what the type contains, or what its functions do: `CapabilityInfo`, `ResourceHandler`. */
const VAGUE_WORD = /^(?:Info|Managers?|Handler|Helpers?|Utils?|Utility|Base|Misc|Stuff|Service|Impl|New)$/

/** A number does not say in what a version of a type differs: `TicketV2`. */
const VERSION_SUFFIX = /V\d+$/

/**
 * Types of services of others, where `Service` is the word of the field: a push service (RFC 8030), the two services of git over HTTP, the
 * services with an OAuth API that apps connect, and the services that offer models. Add only such types.
 */
const FOREIGN_SERVICES: ReadonlySet<string> = new Set([
  'ConnectService',
  'GitService',
  'ModelService',
  'PushService',
])

/** Types that apps import. Apps were generated with these names, and the field uses them for job queues and workflows. */
const APP_TYPES: ReadonlySet<string> = new Set(['JobInfo', 'JobHandler', 'FlowHandler'])

const CONSTANT = /^(export )?(?:const|let) (\w+)(.*)$/gm
/** Matches what follows the name of a function that is declared as a constant. */
const FUNCTION_VALUE = /^(?:: .*?)? = (?:async )?(?:\(|<|\w+ =>)/
const FUNCTION = /^(export )?(?:async )?function\*? (\w+)/gm
const TYPE = /^(?:export )?(?:declare )?(?:type|interface) (\w+)/gm
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm
const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm
/** Names in PascalCase are excluded, because a schema or component is named after its type. */
const ONE_WORD = /^(?:[A-Z][A-Z0-9]*|[a-z][a-z0-9]*)$/
const ONE_WORD_TYPE = /^[A-Z][a-z0-9]*$/
const PASCAL_CASE = /^[A-Z]\w*[a-z]/

/** Returns one sentence for each violation of the rules for names. Tests and generated files are exempt. */
export function namingBreaks(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => !/\.test\.|(?:^|\/)testing\b|\.gen\./.test(path))
  return [
    ...oneWordBreaks(sources),
    ...repeatedNameBreaks(sources),
    ...repeatedExportBreaks(sources),
    ...lastWordBreaks(sources),
  ]
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
    ...tooManyShort(sources.flatMap(typesOf), {
      what: 'types',
      percentMax: ONE_WORD_TYPES_PERCENT_MAX,
      remedy: 'say what they hold',
      oneWord: ONE_WORD_TYPE,
    }),
  ]
}

function tooManyShort(
  names: readonly string[],
  {
    what,
    percentMax,
    remedy,
    oneWord = ONE_WORD,
  }: { what: string; percentMax: number; remedy: string; oneWord?: RegExp },
): string[] {
  const short = names.filter((name) => oneWord.test(name))
  if (short.length * 100 <= names.length * percentMax) return []
  return [
    `${short.length} of ${names.length} ${what} have a name of one word, more than ${percentMax} %: ${remedy}`,
  ]
}

function repeatedNameBreaks(sources: readonly SourceFile[]): string[] {
  const functionNamesOf = (file: SourceFile) => functionsOf(file).map(({ name }) => name)
  return [
    ...namesInManyFiles(sources, functionNamesOf).map(
      ({ name, files }) => `${files} files declare a function ${name}: say what each one returns`,
    ),
    ...namesInManyFiles(sources, repeatableTypesOf).map(
      ({ name, files }) => `${files} files declare a type ${name}: say what each one holds`,
    ),
  ]
}

/**
 * Finds names that two files of a package export. If both mean the same, one is enough; otherwise each needs a name of its own. Files of
 * one name may export the same names, because they are the same part of parallel folders: `mount.ts` of each capability, `errors.ts` of
 * each provider.
 */
function repeatedExportBreaks(sources: readonly SourceFile[]): string[] {
  const exported = sources
    .filter(({ path }) => !APP_MODULE.test(path) && !WORKER_TEXTS.test(path))
    .flatMap(({ path, text }) => {
      const names = new Set(Array.from(text.matchAll(EXPORT), ([, name = '']) => name))
      return [...names.difference(BOUND_CLASSES)].map((name) => ({ name, path }))
    })
  return [...Map.groupBy(exported, ({ name, path }) => `${path.split('/')[0]} ${name}`).values()]
    .filter((group) => new Set(group.map(({ path }) => fileNameOf(path))).size > 1)
    .map(
      ([{ name } = { name: '' }, ...others]) =>
        `${others.length + 1} files of a package export ${name}, last ${others.at(-1)?.path}: keep one, or name what each one is`,
    )
}

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, '')

/** Names of types are nouns, because a participle or preposition does not say what the type holds. `…Of<T>` is usual for generic types. */
const lastWordBreaks = (sources: readonly SourceFile[]): string[] =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED_TYPE)].flatMap(([, name = '']) => {
      if (isDangling(name))
        return [`${path} exports a type ${name}: end its name with a noun that says what it holds`]
      return isVague(name)
        ? [`${path} exports a type ${name}: end its name with a word that says what it holds or does`]
        : []
    }),
  )

function isDangling(name: string): boolean {
  const words = wordsOf(name)
  return (
    DANGLING_WORD.test(words.at(-1) ?? '') && ![1, 2].some((count) => NOUNS.has(words.slice(-count).join('')))
  )
}

function isVague(name: string): boolean {
  if (APP_TYPES.has(name) || FOREIGN_SERVICES.has(name)) return false
  return VAGUE_WORD.test(wordsOf(name).at(-1) ?? '') || VERSION_SUFFIX.test(name)
}

const wordsOf = (name: string): string[] => name.match(/[A-Z]+(?![a-z])|[A-Z][^A-Z]*/g) ?? []

/** Returns the names that more than `FILES_PER_NAME_MAX` files declare. */
function namesInManyFiles(
  sources: readonly SourceFile[],
  namesOf: (file: SourceFile) => string[],
): { name: string; files: number }[] {
  const names = sources.flatMap((file) => [...new Set(namesOf(file))])
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length: files }]) => ({ name, files }))
    .filter(({ files }) => files > FILES_PER_NAME_MAX)
}

const typesOf = ({ text }: SourceFile): string[] => [...text.matchAll(TYPE)].map(([, name = '']) => name)

const repeatableTypesOf = (file: SourceFile): string[] =>
  typesOf(file).filter((name) => !OBJECT_TYPES.test(file.path) || !OBJECT_TYPE_NAMES.has(name))

/** Returns the names of a file's top-level constants that are not functions. */
const constantsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(CONSTANT)]
    .filter(([, , name = '', rest = '']) => !PASCAL_CASE.test(name) && !FUNCTION_VALUE.test(rest))
    .map(([, , name = '']) => name)

const functionsOf = ({ text }: SourceFile): { name: string; isExported: boolean }[] =>
  [
    ...text.matchAll(FUNCTION),
    ...[...text.matchAll(CONSTANT)].filter(([, , , rest = '']) => FUNCTION_VALUE.test(rest)),
  ].map(([, exported, name = '']) => ({ name, isExported: exported !== undefined }))
