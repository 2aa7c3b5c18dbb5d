import { dirname, join } from 'node:path'
import type {
  OnLoadArgs,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  PluginBuild,
  ResolveResult,
} from 'esbuild'
import { packagesFolder } from '../source/locked-runtime.ts'

/**
 * How a bundle includes npm packages. `whole`: with all code of the packages, for bundles that run. The other two modes halve the work
 * of a check. `external`: without package code, so that the bundle only proves that each imported path exists; a check does not run this
 * bundle of the pages. `render`: without the code that a render on the server never calls.
 */
export type PackageMode = 'whole' | 'external' | 'render'

export const STUB_NAMESPACE = 'stub'

// Cached without expiry, because neither installed packages nor an app's folder of packages change while the service
// runs. A bundle resolves the same package dozens of times.
const resolvedPackages = new Map<string, ResolveResult>()

/** Returns the path of an allowed package. Failures are not cached, so that each error names its own import. */
async function locatePackage(
  build: PluginBuild,
  { path, kind }: OnResolveArgs,
  folder: string,
): Promise<ResolveResult> {
  const key = [build.initialOptions.platform, kind, folder, path].join(' ')
  const seen = resolvedPackages.get(key)
  if (seen !== undefined) return seen
  const found = await build.resolve(path, { resolveDir: folder, kind })
  if (found.errors.length === 0) resolvedPackages.set(key, found)
  return found
}

/** Resolves an import of an allowed package to the file that this kind of bundle needs. */
export async function resolvePackage(
  build: PluginBuild,
  args: OnResolveArgs,
  { mode, folder, cssAs }: { mode: PackageMode; folder: string | null; cssAs: 'css' | 'empty' },
): Promise<OnResolveResult> {
  if (mode === 'render' && args.path === 'react-dom/client')
    return { path: args.path, namespace: STUB_NAMESPACE }
  const found = await locatePackage(build, args, folder ?? packagesFolder)
  if (found.errors.length > 0) return found
  if (cssAs === 'empty' && found.path.endsWith('.css')) return { path: args.path, namespace: STUB_NAMESPACE }
  if (mode === 'external') return { path: args.path, external: true }
  // `react-dom/server` loads two renderers of 250 kB each. Only the renderer below is needed, which contains `renderToString`.
  if (mode === 'render' && args.path === 'react-dom/server') {
    return { path: join(dirname(found.path), 'cjs', 'react-dom-server-legacy.browser.production.js') }
  }
  return found
}

/**
 * Returns an empty module in place of code that a check leaves out. The empty module is CommonJS, so that any named
 * import from it resolves.
 */
export function loadStub(_args: OnLoadArgs): OnLoadResult {
  return { contents: 'module.exports = {}', loader: 'js' }
}
