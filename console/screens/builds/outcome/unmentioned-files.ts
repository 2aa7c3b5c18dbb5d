import type { FileRow } from '../../../state/builds/build-state.ts'

/** Files that many changes touch: the manifest, the root component, the first page, styles and routes. */
const COMMON_PATHS =
  /^(app\.json|web\/(App|main|pages\/Home)\.tsx|web\/styles\.css|web\/index\.html|server\/routes\.ts|public\/)/
const WORD_CHARACTERS_MIN = 3

/**
 * Returns the changed files whose path has no word in common with the ticket's text. A reviewer should read
 * these first. Leaves out new files and `COMMON_PATHS` files, whose change is expected.
 */
export function unmentionedFiles(files: FileRow[], words: string): Set<string> {
  const named = new Set(stemsOf(words))
  return new Set(
    files
      .filter((file) => isChangeOfOld(file) && !COMMON_PATHS.test(file.path))
      .map(({ path }) => path)
      .filter((path) => !stemsOf(path).some((stem) => named.has(stem))),
  )
}

const isChangeOfOld = ({ op, removed }: FileRow) => op !== 'write' || removed > 0

/** Returns the words of a path or a text in singular: `pages/PlantLists.tsx` gives `plant` and `list`. */
function stemsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= WORD_CHARACTERS_MIN && !FOLDER_WORDS.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''))
}

/** Words in nearly every path, which say nothing about the topic of a file. */
const FOLDER_WORDS = new Set([
  'web',
  'server',
  'shared',
  'pages',
  'tests',
  'test',
  'components',
  'tsx',
  'css',
])
