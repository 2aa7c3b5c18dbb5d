import { builtinModules } from 'node:module'
import type { Loader, OnResolveResult, PartialMessage, Plugin } from 'esbuild'
import { curatedOf } from '../packages/curated.ts'
import { NO_PACKAGES, readPackagesFile } from '../source/packages-file.ts'
import { loadStub, type PackageMode, resolvePackage, STUB_NAMESPACE } from './packages.ts'
import type { AppTree } from '../source/tree.ts'

const TREE_NAMESPACE = 'tree'
const PROVIDED_PACKAGES = ['react', 'react-dom', 'hono', 'zod', 'date-fns']
/** The packages that the platform's own workers import. */
const PLATFORM_PACKAGES = ['croner', 'postal-mime']
const RUNTIME_ENTRIES = ['server', 'client', 'react', 'testing']
const IMPORT_EXTENSIONS = ['', '.ts', '.tsx', '.json', '.css', '/index.ts', '/index.tsx']
const LOADER_OF_TYPE: Record<string, Loader> = {
  ts: 'ts',
  tsx: 'tsx',
  css: 'css',
  json: 'json',
  svg: 'dataurl',
  txt: 'text',
  md: 'text',
}
const REPLACEMENT_HINTS: Record<string, string> = {
  axios: 'fetch, or api from @slipway/app/react',
  uuid: 'crypto.randomUUID()',
  'react-router': 'Link, useParams and pages in app.json, from @slipway/app/react',
  'react-router-dom': 'Link, useParams and pages in app.json, from @slipway/app/react',
  moment: 'date-fns',
  dayjs: 'date-fns',
  luxon: 'date-fns',
  lodash: 'plain JavaScript',
  express: 'hono',
  '@tanstack/react-query': 'useQuery from @slipway/app/react',
  swr: 'useQuery from @slipway/app/react',
  tailwindcss: 'plain CSS with the tokens of the kit',
}
const NODE_MODULES = new Set(builtinModules)

/** How the packages and style sheets that a tree imports are resolved. */
export interface TreeImports {
  packages: PackageMode
  /** The folder with the packages that the app added; null without added packages. */
  folder: string | null
  cssAs: 'css' | 'empty'
  /** True: no file of the app in this bundle may import server code. False: only files in `web/` may not. */
  refusesServerCode: boolean
}

/** Resolves files of the tree, the platform, the built-in packages and the packages that the app added. Any other import is an error. */
export function treePlugin(
  treeOf: () => AppTree,
  { cssAs, packages: mode, folder, refusesServerCode }: TreeImports,
): Plugin {
  return {
    name: 'tree',
    setup(build) {
      build.onResolve({ filter: /^(?:web|platform)\// }, (args) =>
        args.kind === 'entry-point' ? { path: args.path, namespace: TREE_NAMESPACE } : undefined,
      )
      // Only imports by files of the tree are restricted, not imports by an allowed package.
      build.onResolve({ filter: /.*/, namespace: TREE_NAMESPACE }, async (args) => {
        if (args.kind === 'url-token') return { path: args.path, external: true }
        const from = args.importer
        if (args.path.startsWith('.') || args.path.startsWith('/'))
          return resolveFile(treeOf(), { from, path: args.path, refusesServerCode })
        if (args.path.startsWith('@slipway/app/'))
          return resolveOwn(treeOf(), { from, path: args.path, refusesServerCode })
        const isPlatform = from.startsWith('platform/')
        if (args.path.startsWith('cloudflare:') || args.path.startsWith('node:')) {
          return isPlatform ? { path: args.path, external: true } : importError(platformOnly(args.path))
        }
        const isOwn = isPlatform && PLATFORM_PACKAGES.includes(args.path)
        const problem = isOwn ? null : importProblem(args.path, from, packagesAddedTo(treeOf()))
        return problem === null ? resolvePackage(build, args, { mode, folder, cssAs }) : importError(problem)
      })
      // A render on the server only has to load the packages, so the Node modules that packages import are replaced by stubs.
      if (mode === 'render') {
        build.onResolve({ filter: /^[a-z:_/]+$/, namespace: 'file' }, ({ path }) =>
          NODE_MODULES.has(path) || path.startsWith('node:')
            ? { path, namespace: STUB_NAMESPACE }
            : undefined,
        )
      }
      build.onLoad({ filter: /.*/, namespace: STUB_NAMESPACE }, loadStub)
      build.onLoad({ filter: /\/postal-mime\/dist\/esm\/html-entities\.js$/ }, () => ({
        contents: treeOf().get('platform/email/entities.ts') ?? '',
        loader: 'ts',
      }))
      build.onLoad({ filter: /.*/, namespace: TREE_NAMESPACE }, ({ path }) => {
        const type = path.slice(path.lastIndexOf('.') + 1)
        const loader = type === 'css' ? cssAs : (LOADER_OF_TYPE[type] ?? 'text')
        return { contents: treeOf().get(path) ?? '', loader }
      })
    },
  }
}

interface AppImport {
  from: string
  path: string
  refusesServerCode: boolean
}

function resolveFile(tree: AppTree, { from, path, refusesServerCode }: AppImport): OnResolveResult {
  const base = path.startsWith('/') ? path.slice(1) : joinInTree(from, path)
  const found =
    base === null ? undefined : IMPORT_EXTENSIONS.map((end) => base + end).find((file) => tree.has(file))
  if (found === undefined) return importError(`${path} does not exist`)
  if (from.startsWith('platform/')) return { path: found, namespace: TREE_NAMESPACE }
  if (found.startsWith('platform/'))
    return importError('platform/ is locked; import @slipway/app/server, client, react or testing')
  if (found.startsWith('server/')) {
    if (from.startsWith('web/'))
      return importError('web/ cannot import server/: put shared code into shared/, or call a route with api')
    if (refusesServerCode) return importError(publicProblem(from, 'server/'))
  }
  return { path: found, namespace: TREE_NAMESPACE }
}

/** The error for server code in the pages. `import type` never gets it, because the bundler drops types before it resolves imports. */
const publicProblem = (from: string, what: string): string =>
  `${from} is part of the pages, so it cannot import ${what}: everybody can read it. Move what only the server needs to server/`

function resolveOwn(tree: AppTree, { from, path, refusesServerCode }: AppImport): OnResolveResult {
  const name = path.slice('@slipway/app/'.length)
  if (!RUNTIME_ENTRIES.includes(name))
    return importError(`${path} does not exist; there are ${RUNTIME_ENTRIES.join(', ')}`)
  if (from.startsWith('web/') && (name === 'server' || name === 'testing'))
    return importError(`${path} is not for browser code`)
  if (refusesServerCode && name === 'server' && !from.startsWith('platform/'))
    return importError(publicProblem(from, path))
  if (from.startsWith('server/') && name !== 'server') return importError(`${path} is not for server code`)
  const file = [`platform/${name}.ts`, `platform/${name}.tsx`].find((candidate) => tree.has(candidate))
  return file === undefined
    ? importError(`${path} is missing from platform/`)
    : { path: file, namespace: TREE_NAMESPACE }
}

/** Resolves `path` against the folder of `from`. Returns null when the result is outside the tree. */
function joinInTree(from: string, path: string): string | null {
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '.' || part === '') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

const packageOf = (path: string): string => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

const platformOnly = (path: string): string =>
  `${path} is not available to app code; use the web standards (fetch, crypto, URL) and @slipway/app/server`

function packagesAddedTo(tree: AppTree): string[] {
  return Object.keys((readPackagesFile(tree) ?? NO_PACKAGES).packages)
}

/** Returns why a file may not import a package; null when it may. */
function importProblem(path: string, from: string, added: readonly string[]): string | null {
  const name = packageOf(path)
  if (PROVIDED_PACKAGES.includes(name)) return null
  if (added.includes(name)) {
    const isMisplaced = from.startsWith('server/') && curatedOf(name)?.where === 'browser'
    return isMisplaced ? `${name} needs a browser; import it in web/ instead of server/` : null
  }
  if (NODE_MODULES.has(name)) return platformOnly(path)
  const instead = Object.hasOwn(REPLACEMENT_HINTS, name)
    ? ` Use ${REPLACEMENT_HINTS[name]} instead of ${name}.`
    : ''
  const available = [...PROVIDED_PACKAGES, ...added].join(', ')
  return `the package ${name} is not available. Available: ${available}, @slipway/app/*; others can be added with the packages tool.${instead}`
}

const importError = (text: string): { errors: PartialMessage[] } => ({ errors: [{ text }] })
