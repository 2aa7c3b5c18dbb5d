import { PACKAGES_FILE, readPackagesFile } from '../../source/packages-file.ts'
import { type CheckError, errorAt } from '../../check-report.ts'

/**
 * Locked files (those the build agent must not change) that are not computed from the manifest. The plan agent writes the README, and each
 * build commit contains a copy of it.
 */
const STORED_LOCKED_FILES = new Set(['README.md', PACKAGES_FILE])

const FILES_MAX = 200
const FILE_BYTES_MAX = 200_000
const TREE_BYTES_MAX = 2_000_000

export interface PathRules {
  isLocked(path: string): boolean
  pathProblem(path: string): string | null
  /** The locked files with the content that this manifest and these capabilities require. */
  locked: ReadonlyMap<string, string>
}

/** Checks that paths and sizes are allowed, and that no locked file was changed. */
export function checkPaths(tree: ReadonlyMap<string, string>, rules: PathRules): CheckError[] {
  const errors: CheckError[] = []
  const report = (file: string, code: string, message: string) =>
    errors.push(errorAt(tree, { phase: 'paths', file, code, message }))

  const names = new Map([...tree.keys()].map((path) => [path.toLowerCase(), path]))
  const seen = new Map<string, string>()
  let files = 0
  let bytes = 0
  for (const [path, text] of tree) {
    const twin = seen.get(path.toLowerCase())
    if (twin !== undefined) report(path, 'case_collision', `differs from ${twin} only by case`)
    seen.set(path.toLowerCase(), path)
    const file = foldersOf(path.toLowerCase()).find((folder) => names.has(folder))
    if (file !== undefined)
      report(path, 'file_as_folder', `lies in ${names.get(file)}, which is a file and not a folder`)
    if (STORED_LOCKED_FILES.has(path)) continue
    if (rules.isLocked(path)) {
      const expected = rules.locked.get(path)
      if (expected === undefined) report(path, 'locked', 'is in a locked folder and does not belong there')
      else if (expected !== text) report(path, 'locked', 'is locked and must not be changed')
      continue
    }
    const problem = rules.pathProblem(path)
    if (problem !== null) report(path, 'invalid_path', problem)
    if (text.includes('\0') || !text.isWellFormed()) report(path, 'not_text', 'is not UTF-8 text')
    const size = Buffer.byteLength(text)
    if (size > FILE_BYTES_MAX)
      report(path, 'too_large', `has ${size} bytes; a file may have ${FILE_BYTES_MAX}`)
    files++
    bytes += size
  }
  if (readPackagesFile(tree) === null)
    report(PACKAGES_FILE, 'damaged', 'is damaged; remove and add the packages again with the packages tool')
  for (const path of rules.locked.keys())
    if (!tree.has(path)) report(path, 'locked', 'is locked and is missing')
  if (files > FILES_MAX)
    report('', 'too_many_files', `There are ${files} files; an app may have ${FILES_MAX}.`)
  if (bytes > TREE_BYTES_MAX) {
    report('', 'too_large', `The files have ${bytes} bytes together; an app may have ${TREE_BYTES_MAX}.`)
  }
  return errors
}

/** Returns the folders above a path, outermost first: `web` and `web/pages` for `web/pages/Home.tsx`. */
function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'))
}
