export interface CodeTreeRow {
  /** The path of a folder ends with a slash, so that it differs from a file of the same name. */
  path: string
  name: string
  isFolder: boolean
  isOpen: boolean
  /** 1 for the entries of the root folder, as in `aria-level`. */
  level: number
  place: number
  siblings: number
}

interface TreeFolder {
  folders: Map<string, TreeFolder>
  files: string[]
}

const SMALL_TREE_FILES = 60

/** Returns the visible rows when only the folders in `open` are expanded. Folders come before files. */
export function treeRows(paths: readonly string[], open: ReadonlySet<string>): CodeTreeRow[] {
  const rows: CodeTreeRow[] = []
  const addRows = (folder: TreeFolder, path: string, level: number) => {
    const siblings = folder.folders.size + folder.files.length
    let place = 0
    for (const [name, inner] of [...folder.folders].sort(([a], [b]) => compareNames(a, b))) {
      const innerPath = `${path}${name}/`
      const isOpen = open.has(innerPath)
      rows.push({ path: innerPath, name, isFolder: true, isOpen, level, place: ++place, siblings })
      if (isOpen) addRows(inner, innerPath, level + 1)
    }
    for (const name of folder.files.toSorted(compareNames))
      rows.push({ path: path + name, name, isFolder: false, isOpen: false, level, place: ++place, siblings })
  }
  addRows(buildTree(paths), '', 1)
  return rows
}

/** Returns the path of the first file of the tree, in folded folders too; undefined when `paths` is empty. */
export const firstFile = (paths: readonly string[]): string | undefined =>
  treeRows(paths, new Set(paths.flatMap(parentFolders))).find((row) => !row.isFolder)?.path

function buildTree(paths: readonly string[]): TreeFolder {
  const root: TreeFolder = { folders: new Map(), files: [] }
  for (const path of paths) {
    const parts = path.split('/')
    const file = parts.pop() ?? ''
    let folder = root
    for (const part of parts) {
      const inner = folder.folders.get(part) ?? { folders: new Map(), files: [] }
      folder.folders.set(part, inner)
      folder = inner
    }
    folder.files.push(file)
  }
  return root
}

const compareNames = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** Returns the folders that contain a path, the outermost first. */
export function parentFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
}

/** Returns the folders that are open at first: all folders of a small tree, otherwise only the folders that contain the chosen file. */
export function initiallyOpenFolders(paths: readonly string[], chosen: string | undefined): Set<string> {
  const shown = paths.length <= SMALL_TREE_FILES ? paths : chosen === undefined ? [] : [chosen]
  return new Set(shown.flatMap(parentFolders))
}

/** Returns the paths that contain every word of the filter. Ignores case. */
export function filterPaths(paths: readonly string[], filter: string): readonly string[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return paths
  return paths.filter((path) => {
    const lower = path.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
}
