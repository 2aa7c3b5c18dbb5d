import { matchesGlob } from 'node:path/posix'

/** The rules for the structure of the source. */
export interface Rules {
  /**
   * The layers of `server/`, lowest first. An entry is a folder, a file beside the folders, or a single file of a folder (`*` matches any
   * name). A file may import its own layer and those below. A file beside the folders that is in no layer starts the service and may import
   * everything.
   */
  layers: readonly (readonly string[])[]
  /** The folder of `server/` that owns each table. Only files of that folder contain SQL on the table. */
  owners: Readonly<Record<string, string>>
}

export interface SourceFile {
  /** The path from the root of the repository, with slashes. */
  path: string
  text: string
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]|(?:^|\n)import\s+['"](\.[^'"]+)['"]/g

/** Returns the relative imports of a file, including imports of types, as paths from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => !target.includes('${'))
    .map((target) => new URL(target, `file:///${folder}`).pathname.slice(1))
}

/** Returns the tables that a file names in SQL or in calls of the query builder. */
export function tablesOf({ text }: SourceFile, tables: readonly string[]): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    // Remove the documentation of endpoints, because it is text and no SQL.
    .replaceAll(/^\s*(summary|description): .*$/gm, '')
  return tables.filter((table) =>
    new RegExp(
      `(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\\(\\s*'${table}(?: as \\w+)?'|\\b(?:from|join|into|update|using)\\s+"?${table}"?(?=[\\s(\`,;)])`,
    ).test(code),
  )
}

/** Returns the import cycles of more than two files, including imports of types. The files of each are sorted. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const known = new Map(files.map((file) => [file.path, importsOf(file)]))
  return strongComponents(known).filter((group) => group.length > 2)
}

/** Tarjan's algorithm: the strongly connected components of a graph. */
function strongComponents(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  const low = (node: string) => lowest.get(node) ?? Infinity
  const visit = (node: string) => {
    index.set(node, index.size)
    lowest.set(node, index.size - 1)
    open.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue
      if (!index.has(next)) visit(next)
      if (open.includes(next)) lowest.set(node, Math.min(low(node), low(next)))
    }
    if (low(node) === index.get(node)) groups.push(open.splice(open.indexOf(node)).toSorted())
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return groups
}

/** Returns one sentence for each violation: one per pair of folders, or per folder and table. */
export function breaksOf(files: readonly SourceFile[], rules: Rules): string[] {
  const sources = files.filter(({ path }) => !isTest(path))
  const service = sources.filter(({ path }) => path.startsWith('server/'))
  return [
    ...new Set(service.flatMap(({ path }) => unplacedBreaks(path, rules))),
    ...upwardImports(service, rules).values(),
    ...foreignSql(service, rules).values(),
    ...circlesOf(sources).map((group) => `a circle of imports: ${group.join(', ')}`),
  ]
}

function unplacedBreaks(path: string, rules: Rules): string[] {
  const isPlaced = heightOf(path, rules) !== null || folderOf(path).endsWith('.ts')
  return isPlaced ? [] : [`server/${folderOf(path)} is in no layer: name it in the rules`]
}

function upwardImports(files: readonly SourceFile[], rules: Rules): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    const height = heightOf(file.path, rules)
    if (height === null) continue
    for (const target of importsOf(file).filter((path) => path.startsWith('server/'))) {
      const [folder, other] = [folderOf(file.path), folderOf(target)]
      const below = heightOf(target, rules) ?? Infinity
      if (below < height || (folder === other && below === height)) continue
      found.set(`${folder} -> ${other}`, `${file.path} imports ${target}, which is not below it`)
    }
  }
  return found
}

function foreignSql(files: readonly SourceFile[], { owners }: Rules): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    const folder = folderOf(file.path)
    for (const table of tablesOf(file, Object.keys(owners)))
      if (owners[table] !== folder)
        found.set(`${folder}: ${table}`, `${file.path} has SQL on ${table} of server/${owners[table]}`)
  }
  return found
}

/** Returns the layer of a file of `server/`, counted from the lowest; null when the file is in no layer. */
function heightOf(path: string, { layers }: Rules): number | null {
  const inside = path.slice('server/'.length)
  const layerWith = (isIn: (name: string) => boolean) => layers.findIndex((layer) => layer.some(isIn))
  const single = layerWith((name) => name.includes('/') && matchesGlob(inside, name))
  const height = single < 0 ? layerWith((name) => name === folderOf(path)) : single
  return height < 0 ? null : height
}

export const isTest = (path: string): boolean =>
  /\.test\.(?:fixture\.)?tsx?$|testing(\/|\.ts$)|\.gen\.ts$/.test(path)

/** Returns the folder of `server/` that contains a file, or the name of a file beside the folders. */
const folderOf = (path: string): string => path.split('/')[1] ?? ''
