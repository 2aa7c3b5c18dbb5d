import { gzipSync } from 'node:zlib'
import type { Metafile, OutputFile } from 'esbuild'
import { packageAt } from '../source/packages-file.ts'

/** The compressed size of what a page loads before it shows anything. A phone loads 110 kB in two seconds (docs/limits.md#packages). */
const FIRST_LOAD_BYTES = 110_000
const PLATFORM_PACKAGES = new Set(['react', 'react-dom', 'scheduler', 'hono', 'zod', 'date-fns'])

/** Returns a warning that names the heaviest package when the first load is too large, else null. */
export function firstLoadWarning(output: readonly OutputFile[], metafile: Metafile): string | null {
  const first = firstOutputs(metafile)
  const bytes = output
    .filter(({ path }) => first.some((name) => path.endsWith(`/${name}`)))
    .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  if (bytes <= FIRST_LOAD_BYTES) return null
  const size = `The first load is ${Math.round(bytes / 1000)} kB compressed; above ${FIRST_LOAD_BYTES / 1000} kB it is slow on phones.`
  const heaviest = weighPackages(first.map((name) => metafile.outputs[name]))[0]
  if (heaviest === undefined) return size
  const [name, weight] = heaviest
  return `${size} ${name} is ${Math.round(weight / 1000)} kB of it uncompressed: load what uses it with lazy(() => import('../components/…')) inside <Suspense>.`
}

/** Returns the files that a page loads first: the entry and its static imports, without dynamic imports. */
function firstOutputs({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).find((name) => name.endsWith('/main.js'))
  const found = new Set<string>()
  const waiting = entry === undefined ? [] : [entry]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const imports = outputs[name]?.imports ?? []
    waiting.push(...imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path))
  }
  return [...found].filter((name) => name in outputs)
}

/** Returns each package with its bytes in the output, the largest first. */
function weighPackages(outputs: (Metafile['outputs'][string] | undefined)[]): [string, number][] {
  const weights = new Map<string, number>()
  for (const [path, { bytesInOutput }] of outputs.flatMap((one) => Object.entries(one?.inputs ?? {}))) {
    if (!path.includes('node_modules/')) continue
    const name = packageAt(path)
    if (!PLATFORM_PACKAGES.has(name)) weights.set(name, (weights.get(name) ?? 0) + bytesInOutput)
  }
  return [...weights].sort(([, a], [, b]) => b - a)
}
