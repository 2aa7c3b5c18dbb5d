import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Returns where any of these words is stored below a folder: `file: table` for a SQLite database and `file` for any other file. Of a
 * database it reads the rows, because the file may still contain deleted rows. Leaves out files below `skipped`.
 */
export function findStored(folder: string, words: string[], skipped?: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => skipped === undefined || !file.startsWith(join(skipped, '/')))
  const databases = new Set(files.filter((file) => file.endsWith('.sqlite')))
  const isPartOfDatabase = (file: string) => databases.has(file.replace(/-(wal|shm|journal)$/, ''))
  const has = (text: string) => words.some((word) => text.includes(word))
  return [
    ...[...databases].flatMap((file) => tablesWith(file, has).map((table) => `${file}: ${table}`)),
    ...files.filter((file) => !isPartOfDatabase(file) && has(readUnlessGone(file))),
  ]
}

/** Returns an empty string for a file that was removed meanwhile. */
function readUnlessGone(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Reads a copy of the database, because the database itself is in use. */
function tablesWith(file: string, has: (text: string) => boolean): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-stored-'))
  try {
    for (const end of ['', '-wal'])
      try {
        copyFileSync(`${file}${end}`, join(folder, `${basename(file)}${end}`))
      } catch (error) {
        if (end === '' || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    const db = new DatabaseSync(join(folder, basename(file)))
    try {
      const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
      return tables
        .map(({ name }) => String(name))
        .filter((name) => {
          const all = db.prepare(`select * from "${name.replaceAll('"', '""')}"`)
          all.setReadBigInts(true)
          const rows = all.all()
          return rows.some((row) => Object.values(row).some((value) => has(cellText(value))))
        })
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const cellText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
