import type { FileRow } from '../follow/build-state.ts'

/** Files that nearly every change touches: the manifest, the app's shell and first page, shared code. */
const COMMON =
  /^(app\.json|web\/(App|main|pages\/Home)\.tsx|web\/styles\.css|web\/index\.html|server\/routes\.ts|public\/)/
const WORD_CHARACTERS_MIN = 3

/**
 * Existing files that a build changed although the ticket's text has no word of their path: what a reviewer
 * should read first. New files and common ones are expected, so they are left out.
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

/** `pages/PlantList.tsx` → page, plant, list: the words of a path or a text, in singular. */
function stemsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= WORD_CHARACTERS_MIN && !FOLDERS.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''))
}

/** Folder names of nearly every path, which say nothing about its topic. */
const FOLDERS = new Set(['web', 'server', 'shared', 'pages', 'tests', 'test', 'components', 'tsx', 'css'])
