import { configFiles } from './locked-config.ts'
import { readPackageLock, readPackages, readRuntime } from './locked-runtime.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { generateModules } from './typegen.ts'

export { starterTree } from './tree-starter.ts'

/** The files of an app: path → text. */
export type AppTree = ReadonlyMap<string, string>

const LOCKED = new Set([
  'wrangler.jsonc',
  'wrangler.live.jsonc',
  'wrangler.assets.jsonc',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'DEPLOY.md',
  'README.md',
  '.gitignore',
])
const ROOTS = ['web', 'server', 'shared', 'tests', 'public']
const TYPES = ['ts', 'tsx', 'css', 'html', 'json', 'svg', 'txt', 'md', 'xml', 'webmanifest']
const SEGMENT = /^[A-Za-z0-9_[\]-][A-Za-z0-9._[\]-]*$/
const EMPTY: Manifest = { slipway: 1, name: 'App', pages: [], collections: {}, uses: [], migrations: [] }

/** Whether a file is computed and belongs to the platform (or, the README, to the Plan agent). */
export const isLocked = (path: string): boolean => path.startsWith('platform/') || LOCKED.has(path)

/** What is wrong with the path of an agent's file, as the rest of a sentence; null when nothing is. */
export function pathProblem(path: string): string | null {
  if (path.length > 120) return 'is longer than 120 characters'
  const segments = path.split('/')
  if (segments.length > 8) return 'is more than 8 folders deep'
  if (!segments.every((segment) => SEGMENT.test(segment)))
    return 'has characters that are not allowed in a path'
  // Where the app is built from its repository, such a file would win over the package it stands for.
  if (segments.some((segment) => segment.toLowerCase() === 'node_modules'))
    return 'lies in node_modules, which only packages may'
  if (path === 'app.json') return null
  const [root = ''] = segments
  if (segments.length < 2 || !ROOTS.includes(root)) return `must be app.json or lie in ${ROOTS.join('/, ')}/`
  const type = path.slice(path.lastIndexOf('.') + 1)
  return TYPES.includes(type) && path.includes('.') ? null : `must end in one of .${TYPES.join(' .')}`
}

/**
 * What stands in the way of a new file at this path, as the rest of a sentence; null when nothing does. A folder
 * cannot have the name of a file, nor the other way round.
 */
export function placeProblem(path: string, tree: { keys(): Iterable<string> }): string | null {
  // As a disk sees it that ignores case.
  const wanted = path.toLowerCase()
  for (const other of tree.keys()) {
    const stored = other.toLowerCase()
    if (stored.startsWith(`${wanted}/`)) return `is a folder already: ${other} lies in it`
    if (wanted.startsWith(`${stored}/`)) return `lies in ${other}, which is a file and not a folder`
  }
  return null
}

/** The locked files for these files of the agent; a broken manifest gives those of an empty app. */
export function lockedFiles(agentFiles: AppTree, manifest: Manifest, enabled: ReadonlySet<string>): AppTree {
  const { files, version } = readRuntime()
  return new Map([
    ...files,
    ...generateModules(manifest, agentFiles),
    ...configFiles(manifest, { enabled, version, packages: readPackages(), packageLock: readPackageLock() }),
  ])
}

/** The agent's files together with fresh locked ones; whatever stood in their place is replaced. */
export function completeTree(agentFiles: AppTree, enabled: ReadonlySet<string>): AppTree {
  const own = new Map([...agentFiles].filter(([path]) => !isLocked(path) || path === 'README.md'))
  const result = readManifest(own.get('app.json') ?? '')
  return new Map([...own, ...lockedFiles(own, result.ok ? result.manifest : EMPTY, enabled)])
}
