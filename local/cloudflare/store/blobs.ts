import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../world/ids.ts'

/** Modules and assets of all accounts, stored by the hash of their content. */
export class Blobs {
  readonly #cloudDir: string

  constructor(cloudDir: string) {
    this.#cloudDir = cloudDir
  }

  path(accountId: string, digest: string): string {
    return join(this.#cloudDir, accountId, 'blobs', digest)
  }

  /** Stores bytes and resolves with their SHA-256. The bytes are then on disk, so the row that references them can be committed. */
  async write(accountId: string, bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes)
    const path = this.path(accountId, digest)
    if (existsSync(path)) return digest
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const part = `${path}.${randomUUID()}`
    const file = await open(part, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(part, path)
    return digest
  }

  async read(accountId: string, digest: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await readFile(this.path(accountId, digest)))
  }

  /** Builds a folder of hard links, which is fast at any size. The folder is renamed into place, so it is complete or absent. */
  async buildFolder(
    accountId: string,
    folder: string,
    files: { path: string; digest: string }[],
  ): Promise<void> {
    if (existsSync(folder)) return
    const part = `${folder}.${randomUUID()}`
    try {
      await mkdir(part, { recursive: true, mode: 0o700 })
      for (const file of files) {
        const target = join(part, file.path)
        await mkdir(dirname(target), { recursive: true })
        await link(this.path(accountId, file.digest), target)
      }
      await rename(part, folder)
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      // Ignore the error when a parallel call has built the same folder first.
      if (!existsSync(folder)) throw error
    }
  }
}
