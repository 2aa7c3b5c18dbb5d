import { SourceMap, type SourceMapPayload } from 'node:module'

const FRAME = /(?:\(|at |\s)(?:file:\/\/)?\/?([\w./@-]+\.m?js):(\d+):(\d+)/g
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/

export interface SourcePlace {
  file: string
  line: number
  column: number
}

/** Finds where in the app's own sources an error was thrown: the first frame whose source is in the tree. */
export function findSource(
  stack: string,
  modules: Readonly<Record<string, string>>,
  tree: ReadonlyMap<string, string>,
): SourcePlace | null {
  let fallback: SourcePlace | null = null
  for (const [, name = '', line, column] of stack.matchAll(FRAME)) {
    const map = mapOf(modules, name)
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry) || !entry.originalSource) continue
    const file = pathIn(tree, entry.originalSource)
    if (file === null) continue
    const place = { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    // The cause lies in what the app's author wrote, even when our own code under platform/ threw.
    if (!file.startsWith('platform/')) return place
    fallback ??= place
  }
  return fallback
}

function mapOf(modules: Readonly<Record<string, string>>, name: string): SourceMap | null {
  const file = Object.keys(modules).find((module) => name === module || name.endsWith(`/${module}`))
  const payload = file === undefined ? undefined : (modules[`${file}.map`] ?? inlineMap(modules[file]))
  return payload === undefined ? null : new SourceMap(JSON.parse(payload) as SourceMapPayload)
}

function inlineMap(code: string | undefined): string | undefined {
  const encoded = INLINE_MAP.exec(code ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

/** Bundlers write sources relative to the output or behind a namespace (`tree:web/App.tsx`). */
function pathIn(tree: ReadonlyMap<string, string>, source: string): string | null {
  const path = source.replace(/^[a-z-]+:/, '').replace(/^(?:\.{0,2}\/)+/, '')
  return tree.has(path) ? path : null
}
