import { NO_PACKAGES, PACKAGES_FILE, readPackagesFile } from './packages-file.ts'
import { truncate } from '../../lib/subject.ts'
import { configFiles } from './locked-config.ts'
import { readPackageLock, readPackages, readRuntime } from './locked-runtime.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { generateModules } from './typegen.ts'

export type AppTree = ReadonlyMap<string, string>

const LOCKED_FILES = new Set([
  'wrangler.jsonc',
  'wrangler.live.jsonc',
  'wrangler.live-app.jsonc',
  'wrangler.assets.jsonc',
  'package.json',
  'package-lock.json',
  PACKAGES_FILE,
  'tsconfig.json',
  'DEPLOY.md',
  'README.md',
  '.gitignore',
])
const APP_FOLDERS = ['web', 'server', 'shared', 'tests', 'public']
const TEXT_EXTENSIONS = ['ts', 'tsx', 'css', 'html', 'json', 'svg', 'txt', 'md', 'xml', 'webmanifest']
const PATH_SEGMENT = /^[A-Za-z0-9_[\]-][A-Za-z0-9._[\]-]*$/
const EMPTY_MANIFEST: Manifest = {
  slipway: 1,
  name: 'App',
  pages: [],
  collections: {},
  uses: [],
  migrations: [],
}

/** Returns whether the build agent must not write a file. Most of these files are computed. */
export const isLocked = (path: string): boolean => path.startsWith('platform/') || LOCKED_FILES.has(path)

/** Locked files that are stored and not computed: the README, which the plan agent writes, and the packages that the build agent added. */
const STORED_FILES = new Set(['README.md', PACKAGES_FILE])

export const ownFiles = (tree: AppTree): AppTree =>
  new Map([...tree].filter(([path]) => !isLocked(path) || STORED_FILES.has(path)))

/** Returns the problem with the path of an agent's file, worded to follow the path in a sentence; null when there is none. */
export function pathProblem(path: string): string | null {
  if (path.length > 120) return 'is longer than 120 characters'
  const segments = path.split('/')
  if (segments.length > 8) return 'is more than 8 folders deep'
  if (!segments.every((segment) => PATH_SEGMENT.test(segment)))
    return 'has characters that are not allowed in a path'
  // When the app is built from its repository, a file in node_modules would replace the package of the same name.
  if (segments.some((segment) => segment.toLowerCase() === 'node_modules'))
    return 'lies in node_modules, which only packages may'
  if (path === 'app.json') return null
  const [root = ''] = segments
  if (segments.length < 2 || !APP_FOLDERS.includes(root))
    return `must be app.json or lie in ${APP_FOLDERS.join('/, ')}/`
  const type = path.slice(path.lastIndexOf('.') + 1)
  return TEXT_EXTENSIONS.includes(type) && path.includes('.')
    ? null
    : `must end in one of .${TEXT_EXTENSIONS.join(' .')}`
}

/**
 * Returns the conflict of a new file at this path with the tree, worded to follow the path in a sentence; null when there is
 * none. A folder and a file cannot have the same name.
 */
export function pathConflict(path: string, tree: { keys(): Iterable<string> }): string | null {
  // Some disks ignore case, so paths that differ only by case are a conflict.
  const wanted = path.toLowerCase()
  for (const other of tree.keys()) {
    const stored = other.toLowerCase()
    if (stored.startsWith(`${wanted}/`)) return `is a folder already: ${other} lies in it`
    if (wanted.startsWith(`${stored}/`)) return `lies in ${other}, which is a file and not a folder`
  }
  return null
}

/**
 * Computes the locked files, which the build agent must not change, from the agent's files, the manifest and the
 * enabled capabilities.
 */
export function lockedFiles(agentFiles: AppTree, manifest: Manifest, enabled: ReadonlySet<string>): AppTree {
  const { files, version } = readRuntime()
  return new Map([
    ...files,
    ...generateModules(manifest, agentFiles),
    ...configFiles(manifest, {
      enabled,
      version,
      packages: readPackages(),
      packageLock: readPackageLock(),
      added: readPackagesFile(agentFiles) ?? NO_PACKAGES,
    }),
  ])
}

/**
 * Returns the agent's files with newly computed locked files, which replace the locked files in the given tree. For an
 * invalid manifest, the result has the locked files of an empty app.
 */
export function completeTree(agentFiles: AppTree, enabled: ReadonlySet<string>): AppTree {
  const own = ownFiles(agentFiles)
  const result = readManifest(own.get('app.json') ?? '')
  return new Map([...own, ...lockedFiles(own, result.ok ? result.manifest : EMPTY_MANIFEST, enabled)])
}

const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>%APP_NAME%</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/main.tsx"></script>
  </body>
</html>
`

const MAIN_TSX = `import { startApp } from '@slipway/app/react'
import { App } from './App'
import './styles.css'

startApp(App)
`

const APP_TSX = `import { AppShell, Pages } from '@slipway/app/react'

export function App() {
  return (
    <AppShell>
      <Pages />
    </AppShell>
  )
}
`

const STYLES_CSS = `/* Your own styles. Colours, spaces and sizes come as tokens: var(--color-accent), var(--space-4), ... */
`

const HOME_TSX = `import { EmptyState, Page } from '@slipway/app/react'

export default function Home() {
  return (
    <Page title="Ready to build">
      <EmptyState title="This app is empty so far">
        Describe what it should do in a ticket, and the first build puts it here.
      </EmptyState>
    </Page>
  )
}
`

const ROUTES_TS = `import { Hono } from 'hono'

export const routes = new Hono()
`

/** Returns the files with which the agent begins every new app. The first green build commits these files. */
export function starterTree(name: string): AppTree {
  const shown = truncate(name.trim(), 60) || 'New app'
  const manifest = { slipway: 1, name: shown, pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] }
  return new Map([
    ['app.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['server/routes.ts', ROUTES_TS],
    ['web/App.tsx', APP_TSX],
    ['web/index.html', INDEX_HTML],
    ['web/main.tsx', MAIN_TSX],
    ['web/pages/Home.tsx', HOME_TSX],
    ['web/styles.css', STYLES_CSS],
  ])
}
