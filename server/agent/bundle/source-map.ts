import { SourceMap } from 'node:module'
import * as z from 'zod'

const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/

/** A position in a file of an app. Line and column start at 1. */
export interface SourcePosition {
  file: string
  line: number
  column: number
}

const SourceMapJson = z.object({
  version: z.number(),
  file: z.string().default(''),
  sourceRoot: z.string().default(''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string().catch('')).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
})

/**
 * Returns the source map of the module with this name or path, from the module `<name>.map` or from the end of the module.
 * Null without a source map.
 */
export function sourceMapOf(modules: Readonly<Record<string, string>>, name: string): SourceMap | null {
  const file = Object.keys(modules).find((module) => name === module || name.endsWith(`/${module}`))
  const payload = file === undefined ? undefined : (modules[`${file}.map`] ?? inlineMap(modules[file]))
  return payload === undefined ? null : new SourceMap(SourceMapJson.parse(JSON.parse(payload)))
}

function inlineMap(code: string | undefined): string | undefined {
  const encoded = INLINE_MAP.exec(code ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

/** Returns the position in the sources for a position in a bundle. Null when the map does not have it, or names a file outside the tree. */
export function findSourcePosition(
  map: SourceMap | null,
  { line, column }: { line: number; column: number },
  tree: ReadonlyMap<string, string>,
): SourcePosition | null {
  const entry = map?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return null
  const file = pathIn(tree, entry.originalSource)
  return file === null ? null : { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}

/** Returns a source as a path of the tree. Bundlers write a source relative to the output or behind a namespace (`tree:web/App.tsx`). */
function pathIn(tree: ReadonlyMap<string, string>, source: string): string | null {
  const path = source.replace(/^[a-z-]+:/, '').replace(/^(?:\.{0,2}\/)+/, '')
  return tree.has(path) ? path : null
}
