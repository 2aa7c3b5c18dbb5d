import {
  type BuildContext,
  type BuildOptions,
  type BuildResult,
  context,
  stop,
  transform,
  type TransformOptions,
} from 'esbuild'
import { type TreeImports, treePlugin } from './resolve.ts'
import { withNewProcessOnDeath } from '../esbuild.ts'
import type { AppTree } from '../source/tree.ts'

export interface BundlerConfig extends TreeImports {
  options: BuildOptions
}

export type BundleOutput = BuildResult<{ write: false }>

/**
 * An esbuild context that caches parsed files for the next tree: packages and platform are the same in every app, and their parsing is
 * most of the work. esbuild reuses a parsed file only when the contents are equal.
 */
interface ReusedBundler {
  context: BuildContext<{ write: false }>
  tree: { current: AppTree }
  uses: number
}

// Two idle bundlers for one recipe (the options of a bundle) serve two projects that build at the same time. Further bundlers are
// disposed of to save memory.
const IDLE_PER_RECIPE_MAX = 2
const IDLE_RECIPES_MAX = 8
// A bundler keeps the paths of all apps that it has bundled, so it is replaced before it uses too much memory.
const BUNDLER_USES_MAX = 100

// A build bundles many times within seconds. Bundlers that are idle for a longer time are disposed of to free memory.
const IDLE_MS = 10_000

const idleBundlers = new Map<string, ReusedBundler[]>()
let disposalTimer: NodeJS.Timeout | undefined

/** Bundles a tree in memory with the options of a recipe. Rejects with an error that has `errors`, as esbuild's build does. */
export const runBundler = (tree: AppTree, recipe: BundlerConfig): Promise<BundleOutput> =>
  withNewProcessOnDeath(() => runOnce(tree, recipe), stopBundlers)

export const minifyModule = (code: string, options: TransformOptions): Promise<string> =>
  withNewProcessOnDeath(async () => (await transform(code, { ...options, minify: true })).code, stopBundlers)

async function runOnce(tree: AppTree, recipe: BundlerConfig): Promise<BundleOutput> {
  const kind = JSON.stringify(recipe)
  const bundler = idleBundlers.get(kind)?.pop() ?? (await makeBundler(recipe))
  bundler.tree.current = tree
  bundler.uses++
  let isSound = false
  try {
    const built = await bundler.context.rebuild()
    isSound = true
    return built
  } catch (error) {
    isSound = (error as { errors?: unknown }).errors !== undefined
    throw error
  } finally {
    if (isSound && bundler.uses < BUNDLER_USES_MAX) keepIdle(kind, bundler)
    else disposeAll([bundler])
  }
}

async function makeBundler({ options, ...recipe }: BundlerConfig): Promise<ReusedBundler> {
  const tree: ReusedBundler['tree'] = { current: new Map() }
  const plugins = [treePlugin(() => tree.current, recipe)]
  return { context: await context({ ...options, plugins, write: false }), tree, uses: 0 }
}

function keepIdle(kind: string, bundler: ReusedBundler): void {
  bundler.tree.current = new Map()
  const bundlers = idleBundlers.get(kind) ?? []
  // Move the recipe just used to the end of the map, so that the first key is the least recently used recipe.
  idleBundlers.delete(kind)
  idleBundlers.set(kind, bundlers)
  if (bundlers.length < IDLE_PER_RECIPE_MAX) bundlers.push(bundler)
  else disposeAll([bundler])
  clearTimeout(disposalTimer)
  disposalTimer = setTimeout(disposeBundlers, IDLE_MS).unref()
  const [oldest] = idleBundlers
  if (idleBundlers.size <= IDLE_RECIPES_MAX || oldest === undefined) return
  idleBundlers.delete(oldest[0])
  disposeAll(oldest[1])
}

function disposeBundlers(): void {
  clearTimeout(disposalTimer)
  disposeAll([...idleBundlers.values()].flat())
  idleBundlers.clear()
}

/** Resolves when esbuild's process has ended. If its parent ended first, esbuild would print a stack trace to the terminal. */
export async function stopBundlers(): Promise<void> {
  disposeBundlers()
  await stop()
}

function disposeAll(bundlers: ReusedBundler[]): void {
  for (const { context: unused } of bundlers) void unused.dispose().catch(() => {})
}
