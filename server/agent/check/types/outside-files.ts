import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, isAbsolute, join, normalize, sep } from 'node:path'
import { packagesFolder, readPackages } from '../../source/locked-runtime.ts'
import { findCompiler } from './compiler.ts'
import { type CheckError, errorAt } from '../../check-report.ts'

/**
 * Returns an error for each file that the compiler read outside the app, its packages and the compiler's libraries. The
 * compiler reads any file that an import, a type or a comment names. Its messages could quote a file of the service to an
 * app's author.
 */
export function refuseOutsideFiles(
  tree: ReadonlyMap<string, string>,
  target: string,
  files: readonly string[],
  packages: string | null,
): CheckError[] {
  const inside = [`${target}${sep}`, `${realpathSync(target)}${sep}`, ...trustedFolders()]
  if (packages !== null) inside.push(`${realpathSync(packages)}${sep}`)
  const strangers = files.filter(
    (file) => isAbsolute(file) && !inside.some((folder) => normalize(file).startsWith(folder)),
  )
  return strangers.map((stranger) =>
    errorAt(tree, {
      phase: 'types',
      file: whoNames(tree, stranger),
      code: 'outside',
      message:
        'A file outside the app is referred to. Only files of the app and the listed packages can be used.',
    }),
  )
}

let cachedFolders: string[] | null = null

/** Returns the `node_modules` folders of the compiler's libraries and of the packages of generated code. */
function trustedFolders(): string[] {
  cachedFolders ??= [...new Set([...installedPackageFolders(), findCompiler()].map(folderOf))]
  return cachedFolders
}

function installedPackageFolders(): string[] {
  const places = createRequire(join(packagesFolder, 'package.json')).resolve.paths('react') ?? []
  return Object.keys(readPackages()).flatMap((name) =>
    places.flatMap((place) => {
      try {
        return [realpathSync(join(place, name))]
      } catch {
        return []
      }
    }),
  )
}

function folderOf(path: string): string {
  const name = `${sep}node_modules${sep}`
  const at = path.lastIndexOf(name)
  return at < 0 ? `${path}${sep}` : path.slice(0, at + name.length)
}

/** Returns the first file of the app whose text contains the name of the file `stranger`, else `tsconfig.json`. */
function whoNames(tree: ReadonlyMap<string, string>, stranger: string): string {
  const name = basename(stranger).replace(/(?:\.d)?\.[a-z]+$/, '')
  const [found] = [...tree].find(([path, text]) => !path.startsWith('platform/') && text.includes(name)) ?? []
  return found ?? 'tsconfig.json'
}
