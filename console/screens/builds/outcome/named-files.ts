import type { FileRow } from '../follow/build-state.ts'

/** Files that belong to every change: the manifest, the shell of the app with its first page, what all pages share. */
const COMMON =
  /^(app\.json|web\/(App|main|pages\/Home)\.tsx|web\/styles\.css|web\/index\.html|server\/routes\.ts|public\/)/
const WORD_CHARACTERS_MIN = 3

/**
 * Existing files that a build changed although the words of its ticket name nothing of their path: what a reader
 * should look at first. New files are the build's own, and common ones belong to every change.
 */
export function filesNotNamed(files: FileRow[], words: string): Set<string> {
  const named = new Set(stemsOf(words))
  return new Set(
    files
      .filter((file) => isChangeOfOld(file) && !COMMON.test(file.path))
      .map(({ path }) => path)
      .filter((path) => !stemsOf(path).some((stem) => named.has(stem))),
  )
}

const isChangeOfOld = ({ op, removed }: FileRow) => op !== 'write' || removed > 0

/** `pages/PlantList.tsx` → page, plant, list: the words of a path or a text, without their plural. */
function stemsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= WORD_CHARACTERS_MIN && !FOLDERS.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''))
}

/** Parts of nearly every path, which say nothing about its subject. */
const FOLDERS = new Set(['web', 'server', 'shared', 'pages', 'tests', 'test', 'components', 'tsx', 'css'])
