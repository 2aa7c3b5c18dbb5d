import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completeTree, starterTree } from './tree.ts'

interface Lock {
  lockfileVersion: number
  packages: Record<
    string,
    { version: string; integrity?: string; resolved?: string; dev?: boolean; optional?: boolean }
  >
}
interface Asked {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const read = (path: string): unknown =>
  JSON.parse(completeTree(starterTree('Plants'), new Set()).get(path) ?? '')

describe('the lock file of an app', () => {
  const asked = read('package.json') as Asked
  const lock = read('package-lock.json') as Lock
  const { '': root, ...packages } = lock.packages

  test('the lock file of an app requires the versions of package.json, so that npm ci accepts it', () => {
    const { dependencies, devDependencies } = root as unknown as Asked
    assert.deepEqual([dependencies, devDependencies], [asked.dependencies, asked.devDependencies])
  })

  test('the lock file of an app has each package with its exact version and checksum, and names no registry', () => {
    const all = { ...asked.dependencies, ...asked.devDependencies }
    for (const [name, version] of Object.entries(all)) {
      assert.equal(packages[`node_modules/${name}`]?.version, version, name)
    }
    for (const [path, entry] of Object.entries(packages)) {
      // The lock file is generated from this repository's lock file, which may lack checksums of binaries for other operating systems.
      if (entry.optional !== true) assert.match(entry.integrity ?? '', /^sha512-/, path)
      assert.equal(entry.resolved, undefined, path)
    }
  })

  test('the lock file of an app separates runtime packages from build packages', () => {
    for (const name of Object.keys(asked.dependencies))
      assert.equal(packages[`node_modules/${name}`]?.dev, undefined)
    assert.equal(packages['node_modules/scheduler']?.dev, undefined)
    for (const name of ['wrangler', 'workerd', 'typescript'])
      assert.equal(packages[`node_modules/${name}`]?.dev, true, name)
  })
})
