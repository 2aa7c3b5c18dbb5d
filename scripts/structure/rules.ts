import { matchesGlob } from 'node:path/posix'

/** The rules for the structure of the source. */
export interface Rules {
  /**
   * The layers of a package or of one of its folders, lowest first. An entry is a folder, a file beside the folders, or a single file of a
   * folder (`*` matches any name). A file may import its own folder and the layers below. A file beside the folders that is in no layer
   * is an entry point of the package and may import everything.
   */
  layers: Readonly<Record<string, Layers>>
  /**
   * The packages in which no folders import each other, not even through single files that are in another layer than their folder. The list
   * of a package names the imports that are not counted: `folder -> folder`.
   */
  withoutCircles: Readonly<Record<string, readonly string[]>>
  /** The packages in which the folders inside a folder may not import each other either, at any depth. */
  withoutCirclesInside: readonly string[]
  /** The folder of `server/` that owns each table. Only its files, and files that count as its own, contain SQL on the table. */
  owners: Readonly<Record<string, string>>
  /** Folders of `server/` whose SQL counts as SQL of another folder. */
  sharedOwnership: Readonly<Record<string, string>>
}

type Layers = readonly (readonly string[])[]

/** The maximum number of lines of a file, so that a reader can read each file as a whole. */
const LINES_MAX = 500

/** The maximum number of columns of a comment. The formatter wraps code at 110 columns and does not wrap comments. */
const COMMENT_COLUMNS_MAX = 140
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/

export interface SourceFile {
  /** The path from the root of the repository, with slashes. */
  path: string
  text: string
}

const IMPORT_PATTERN =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]|(?:^|\n)import\s+['"](\.[^'"]+)['"]/g

/** Returns the relative imports of a file, including imports of types, as paths from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return [...text.matchAll(IMPORT_PATTERN)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => !target.includes('${'))
    .map((target) => new URL(target, `file:///${folder}`).pathname.slice(1))
}

/** Returns the tables that a file names in SQL or in calls of the query builder. */
export function tablesOf({ text }: SourceFile, tables: readonly string[]): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    // Remove the documentation of endpoints, because it is prose and not SQL.
    .replaceAll(/^\s*(summary|description): .*$/gm, '')
  return tables.filter((table) =>
    new RegExp(
      `(?:selectFrom|insertInto|updateTable|deleteFrom|Join|using)\\(\\s*'${table}(?: as \\w+)?'|\\b(?:from|join|into|update|using)\\s+"?${table}"?(?=[\\s(\`,;)])`,
    ).test(code),
  )
}

/** Returns the import cycles of more than two files, including imports of types. The files of each cycle are sorted. */
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
  return [
    ...Object.entries(rules.layers).flatMap(([root, layers]) => layerBreaks(root, layers, sources)),
    ...Object.entries(rules.withoutCircles).flatMap(([root, uncounted]) =>
      folderCircles(root, uncounted, sources),
    ),
    ...rules.withoutCirclesInside
      .flatMap((root) => foldersIn(root, sources))
      .flatMap((folder) => folderCircles(folder, [], sources)),
    ...foreignSql(sources, rules).values(),
    ...sources.flatMap(executedFragments),
    ...circlesOf(sources).map((group) => `a circle of imports: ${group.join(', ')}`),
    ...files.flatMap(tooLong),
    ...files.flatMap(tooWide),
  ]
}

/**
 * Returns the violation of a file with too many lines, which may also be a test. Generated files are exempt, because people do not read
 * them as a whole.
 */
function tooLong({ path, text }: SourceFile): string[] {
  const lines = text.split('\n').length - 1
  return lines <= LINES_MAX || path.endsWith('.gen.ts')
    ? []
    : [`${path} has ${lines} lines, at most ${LINES_MAX}: split it`]
}

function tooWide({ path, text }: SourceFile): string[] {
  if (path.endsWith('.gen.ts')) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > COMMENT_COLUMNS_MAX && COMMENT_LINE.test(line)
        ? [
            `${path}:${index + 1} is a comment of ${line.length} columns, at most ${COMMENT_COLUMNS_MAX}: wrap it`,
          ]
        : [],
    )
}

/** Returns the violations of the layers of one package, or of one of its folders. */
function layerBreaks(root: string, layers: Layers, sources: readonly SourceFile[]): string[] {
  const unplaced = new Set<string>()
  const upward = new Map<string, string>()
  const placeOf = (path: string) => {
    const inside = path.slice(root.length + 1)
    return { folder: inside.split('/')[0] ?? '', height: heightOf(inside, layers) }
  }
  for (const file of sources.filter(({ path }) => path.startsWith(`${root}/`))) {
    const { folder, height } = placeOf(file.path)
    if (height === null) {
      if (!isSource(folder)) unplaced.add(`${root}/${folder} is in no layer: name it in the rules`)
      continue
    }
    for (const target of importsOf(file)) {
      if (!target.startsWith(`${root}/`) || !isSource(target)) continue
      const other = placeOf(target)
      const below = other.height ?? Infinity
      if (below < height || (folder === other.folder && below === height)) continue
      upward.set(`${folder} -> ${other.folder}`, `${file.path} imports ${target}, which is not below it`)
    }
  }
  return [...unplaced, ...upward.values()]
}

/** Returns the layer of a file, counted from the lowest; null when the file is in no layer. */
function heightOf(inside: string, layers: Layers): number | null {
  const layerWith = (isIn: (name: string) => boolean) => layers.findIndex((layer) => layer.some(isIn))
  const single = layerWith((name) => name.includes('/') && matchesGlob(inside, name))
  const height = single < 0 ? layerWith((name) => name === inside.split('/')[0]) : single
  return height < 0 ? null : height
}

/** Returns the folders in a package that have folders themselves. */
function foldersIn(root: string, sources: readonly SourceFile[]): string[] {
  const parents = sources
    .filter(({ path }) => path.startsWith(`${root}/`))
    .flatMap(({ path }) => {
      const names = path.split('/').slice(0, -2)
      return names.map((_, depth) => names.slice(0, depth + 1).join('/'))
    })
  return [...new Set(parents)].filter((folder) => folder.startsWith(`${root}/`))
}

/** Returns a message for each group of folders, and files beside them, that import each other. `circlesOf` finds groups of files alone. */
function folderCircles(root: string, uncounted: readonly string[], sources: readonly SourceFile[]): string[] {
  const topOf = (path: string) => path.split('/')[root.split('/').length] ?? ''
  const edges = new Map<string, string[]>()
  for (const file of sources.filter(({ path }) => path.startsWith(`${root}/`))) {
    const from = topOf(file.path)
    const targets = importsOf(file)
      .filter((target) => target.startsWith(`${root}/`))
      .map(topOf)
      .filter((to) => to !== from && !uncounted.includes(`${from} -> ${to}`))
    edges.set(from, [...(edges.get(from) ?? []), ...targets])
  }
  return strongComponents(edges)
    .filter((group) => group.length > 1 && !group.every(isSource))
    .map((group) => `folders of ${root}/ import each other: ${group.join(', ')}`)
}

function foreignSql(files: readonly SourceFile[], { owners, sharedOwnership }: Rules): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files.filter(({ path }) => path.startsWith('server/'))) {
    const folder = ownerOf(file.path, sharedOwnership)
    for (const table of tablesOf(file, Object.keys(owners)))
      if (owners[table] !== folder)
        found.set(`${folder}: ${table}`, `${file.path} has SQL on ${table} of server/${owners[table]}`)
  }
  return found
}

/** Returns one sentence for each table of the schema without an owner, and for each owner of a table that the schema does not have. */
export function ownerlessTables(schema: string, owners: Rules['owners']): string[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table "?(\w+)"?/gm)].map(([, name = '']) => name)
  return [
    ...tables
      .filter((table) => !Object.hasOwn(owners, table))
      .map((table) => `${table} has no owner: name its folder in scripts/structure/check.ts`),
    ...Object.keys(owners)
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} has an owner, but the schema has no such table`),
  ]
}

/**
 * Returns the folder whose tables a file may name. In `sql` and `statements`, the owner is named like the file or like the file's folder.
 */
function ownerOf(path: string, sharedOwnership: Rules['sharedOwnership']): string {
  const [, folder = '', name = ''] = path.split('/')
  return folder === 'sql' || folder === 'statements'
    ? name.replace(/\.ts$/, '')
    : (sharedOwnership[folder] ?? folder)
}

/** Returns the violation of a file in `server/sql` that executes a statement: these files may contain only parts of statements. */
const executedFragments = ({ path, text }: SourceFile): string[] =>
  path.startsWith('server/sql/') && /\.execute\w*\(/.test(text)
    ? [`${path} executes a statement: move it to server/statements`]
    : []

const isSource = (path: string): boolean => /\.tsx?$/.test(path)
export const isTest = (path: string): boolean =>
  /\.test\.(?:fixture\.)?tsx?$|testing(\/|\.ts$)|\.gen\.ts$/.test(path)
