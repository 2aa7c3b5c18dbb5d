import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** A row of `git_objects`. */
export interface StoredObject {
  oid: string
  type: string
  data: Buffer
}

/** Writes a project's objects to a git repository whose main branch is at a commit. Returns the folder. */
export function writeRepository(objects: readonly StoredObject[], head: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-'))
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch', 'main', folder])
  for (const { oid, type, data } of objects) {
    const loose = Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])
    const path = join(folder, 'objects', oid.slice(0, 2), oid.slice(2))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, deflateSync(loose))
  }
  writeFileSync(join(folder, 'refs', 'heads', 'main'), `${head}\n`)
  return folder
}

/** Asserts that git finds no problem and exactly `commits` commits. Then deletes the folder. */
export function requireSound(folder: string, commits: number): void {
  try {
    const runGit = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    assert.equal(runGit('fsck', '--full', '--strict', '--no-dangling').trim(), '')
    assert.equal(runGit('rev-list', '--count', 'main').trim(), String(commits))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
