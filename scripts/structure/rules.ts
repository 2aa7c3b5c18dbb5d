/** What the check of the structure holds the source to. Lists of exceptions may only shrink. */
export interface Rules {
  /**
   * The folders of `server/`, and the files beside them that they import, lowest first. A file imports its own folder
   * and the layers below. Files of `server/` that are not named start the service: they import everything.
   */
  layers: readonly (readonly string[])[]
  /** The folder of `server/` that owns each table: SQL on it is written there only. */
  owners: Readonly<Record<string, string>>
  /** Imports between folders that break the layers, as `from -> to`. */
  upward: readonly string[]
  /** SQL on another folder's table, as `folder: table`. */
  strangers: readonly string[]
}

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string
  text: string
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]|(?:^|\n)import\s+['"](\.[^'"]+)['"]/g

/** The relative imports of a file, types included, as paths from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return [...text.matchAll(IMPORT)].map((match) =>
    new URL(match[1] ?? match[2] ?? match[3] ?? '', `file:///${folder}`).pathname.slice(1),
  )
}

/** The tables a file names in SQL or in calls of the query builder. */
export function tablesOf({ text }: SourceFile, tables: readonly string[]): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  return tables.filter((table) =>
    new RegExp(
      `(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\\(\\s*'${table}(?: as \\w+)?'|\\b(?:from|join|into|update|using)\\s+"?${table}"?(?=[\\s(\`,;)])`,
    ).test(code),
  )
}

/** Groups of more than two files that import each other in a circle, types included; each group sorted. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const known = new Map(files.map((file) => [file.path, importsOf(file)]))
  return strongComponents(known).filter((group) => group.length > 2)
}

/** Tarjan's strongly connected components of a graph given by its edges. */
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

/** Every break of the rules in these files, one sentence each; also exceptions that nothing needs any more. */
export function breaksOf(files: readonly SourceFile[], rules: Rules): string[] {
  const sources = files.filter(({ path }) => !isTest(path))
  const upward = new Map<string, string>()
  const strangers = new Map<string, string>()
  const breaks: string[] = []
  const heights = new Map(
    rules.layers.flatMap((layer, height) => layer.map((name) => [name, height] as const)),
  )
  const tables = Object.keys(rules.owners)
  for (const file of sources.filter(({ path }) => path.startsWith('server/'))) {
    const folder = roomOf(file.path)
    const height = heights.get(folder)
    if (height === undefined) {
      if (!folder.endsWith('.ts')) breaks.push(`server/${folder} is in no layer: name it in the rules`)
      continue
    }
    for (const target of importsOf(file).filter((path) => path.startsWith('server/'))) {
      const other = roomOf(target)
      if (other === folder || (heights.get(other) ?? Infinity) < height) continue
      upward.set(`${folder} -> ${other}`, `${file.path} imports ${target}, which is not below it`)
    }
    for (const table of tablesOf(file, tables)) {
      if (rules.owners[table] === folder) continue
      strangers.set(
        `${folder}: ${table}`,
        `${file.path} has SQL on ${table} of server/${rules.owners[table]}`,
      )
    }
  }
  return [
    ...new Set(breaks),
    ...beyond(upward, rules.upward),
    ...beyond(strangers, rules.strangers),
    ...circlesOf(sources).map((group) => `a circle of imports: ${group.join(', ')}`),
  ]
}

/** What was found and is not excepted, and what is excepted and was not found. */
function beyond(found: ReadonlyMap<string, string>, excepted: readonly string[]): string[] {
  return [
    ...[...found].filter(([key]) => !excepted.includes(key)).map(([, sentence]) => sentence),
    ...excepted
      .filter((key) => !found.has(key))
      .map((key) => `the exception “${key}” is needed no more: remove it`),
  ]
}

const isTest = (path: string): boolean => /\.test\.tsx?$|testing(\/|\.ts$)|\.gen\.ts$/.test(path)

/** The folder of `server/` a file is in, or the name of a file beside the folders. */
const roomOf = (path: string): string => path.split('/')[1] ?? ''
