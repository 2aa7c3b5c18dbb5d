import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '../../testing/database.ts'
import {
  npmRegistry,
  type RegistryStandIn,
  type StoredPackage,
} from '../../testing/providers/npm-registry.ts'
import { undoAfter } from '../../testing/undo.ts'
import { completeTree, starterTree } from '../source/tree.ts'
import { CURATED_LIST, CURATED_PACKAGES } from './curated.ts'
import {
  NO_PACKAGES,
  PACKAGES_FILE,
  type PackagesFile,
  readPackagesFile,
  writePackagesFile,
} from '../source/packages-file.ts'
import { baseLock, openPackages, type Packages } from './packages.ts'
import { PackageRefusal } from './resolve.ts'

const NOW = Date.parse('2026-11-26T00:00:00Z')
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000)
const caller = { owner: 'org' }
const canary = join(mkdtempSync(join(tmpdir(), 'slipway-canary-')), 'ran')

const honest = (
  name: string,
  dependencies: Record<string, string> = {},
  version = '1.0.0',
): StoredPackage => ({
  name,
  version,
  manifest: { dependencies },
  files: {
    'index.js': `export const name = '${name}@${version}'\n`,
    'index.d.ts': 'export const name: string\n',
  },
})
const many = Array.from({ length: 160 }, (_, number) => honest(`many-${number}`))

/** Each malicious or unusable package, with the sentence that refuses it. */
const BAD: [StoredPackage, RegExp][] = [
  [
    { ...honest('script'), manifest: { scripts: { postinstall: `touch ${canary}` } } },
    /script 1\.0\.0 runs a script when it is installed, which never happens here; choose a package without one/,
  ],
  [
    { ...honest('escape'), entries: [{ path: 'package/../../evil.js', bytes: Buffer.from('evil') }] },
    /escape 1\.0\.0 holds a file outside its own folder \(package\/\.\.\/\.\.\/evil\.js\)/,
  ],
  [
    { ...honest('absolute'), entries: [{ path: '/tmp/evil.js', bytes: Buffer.from('evil') }] },
    /absolute 1\.0\.0 holds a file outside its own folder/,
  ],
  [
    { ...honest('symlink'), entries: [{ path: 'package/passwd.js', type: '2' }] },
    /symlink 1\.0\.0 holds a link or a device \(passwd\.js\)/,
  ],
  [
    // The compression ratio is within its limit, so that only the size is refused.
    {
      ...honest('huge'),
      entries: [
        { path: 'package/a.js', bytes: Buffer.concat([randomBytes(3_000_000), Buffer.alloc(80_000_000)]) },
      ],
    },
    /huge 1\.0\.0 has more than 80 MB unpacked; choose a smaller package/,
  ],
  [
    { ...honest('bomb'), entries: [{ path: 'package/a.js', bytes: Buffer.alloc(20_000_000) }] },
    /bomb 1\.0\.0 unpacks to more than 60 times its size, as only an attack does/,
  ],
  [
    { ...honest('forged'), integrity: `sha512-${'A'.repeat(86)}==` },
    /forged 1\.0\.0 is not the package that was locked \(its checksum differs\)/,
  ],
  [
    { ...honest('fresh'), publishedAt: daysAgo(6) },
    /fresh 1\.0\.0 is younger than 7 days; ask for an older version/,
  ],
  [
    honest('crowd', Object.fromEntries(many.map(({ name }) => [name, '^1.0.0']))),
    /more than 150 packages; choose one with fewer dependencies/,
  ],
  [
    { ...honest('native'), files: { 'build/addon.node': 'binary' } },
    /native 1\.0\.0 holds a native binary \(build\/addon\.node\)/,
  ],
  [honest('git', { other: 'git+https://example.com/x.git' }), /git 1\.0\.0 asks for other by git\+https/],
  [
    { ...honest('old-react'), manifest: { peerDependencies: { react: '^16.0.0' } } },
    /old-react 1\.0\.0 needs react \^16\.0\.0, and the app has 19/,
  ],
  [honest('lonely', { 'not-there': '^1.0.0' }), /does not have the package not-there; check the name/],
]

describe('packages of an app', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-packages-'))
  let registry: RegistryStandIn
  let packages: Packages
  let curated: PackagesFile
  const open = (folder = dataDir, now = () => NOW) =>
    openPackages({
      dataDir: folder,
      allow: [],
      log: silentLog,
      now,
      registry: async () => registry.url,
      curated,
    })
  const any = (name: string, file = NO_PACKAGES) => packages.add(file, { name, mayUseAny: true }, caller)
  const treeOf = (file: PackagesFile) => new Map([[PACKAGES_FILE, writePackagesFile(file)]])

  before(async () => {
    registry = await npmRegistry([
      honest('chart', { shared: '^1.0.0', helper: '^1.0.0' }),
      honest('helper', { shared: '^2.0.0' }),
      honest('shared'),
      honest('shared', {}, '2.1.0'),
      { ...honest('shared', {}, '2.2.0'), publishedAt: daysAgo(1) },
      honest('listed'),
      {
        ...honest('bundler', { shared: '^2.0.0' }),
        files: {
          'index.js': `export { name } from 'shared'\n`,
          'lib/node_modules/inner.js': 'export const name = 1\n',
          'node_modules/shared/index.js': `export const name = 'of the archive'\n`,
          'node_modules/shared/package.json': '{}',
        },
      },
      ...['sized', 'sized-too'].map((name) => ({
        ...honest(name),
        files: { 'index.js': `//${randomBytes(15_000).toString('hex')}` },
      })),
      ...many,
      ...BAD.map(([one]) => one),
    ])
    curated = { packages: { listed: '1.0.0' }, lock: { 'node_modules/listed': registry.entryOf('listed') } }
    packages = open()
  })
  after(async () => {
    await packages.close()
    await registry.close()
    rmSync(dataDir, { recursive: true })
  })

  test('adding a package locks all its dependencies, and Node finds each version of a dependency at its own path', async () => {
    const file = await any('chart')
    assert.deepEqual(file.packages, { chart: '1.0.0' })
    const versions = Object.entries(file.lock).map(([path, { version }]) => [path, version])
    assert.deepEqual(Object.fromEntries(versions), {
      'node_modules/chart': '1.0.0',
      'node_modules/shared': '1.0.0',
      'node_modules/helper': '1.0.0',
      // The newest version, 2.2.0, is only a day old, so it is not chosen.
      'node_modules/helper/node_modules/shared': '2.1.0',
    })
    const folder = (await packages.folderFor(treeOf(file), caller)) ?? ''
    const nested = readFileSync(join(folder, 'node_modules/helper/node_modules/shared/index.js'), 'utf8')
    assert.match(nested, /shared@2\.1\.0/)
    assert.ok(existsSync(join(folder, 'node_modules/react/package.json')), 'what every app has is there too')
    assert.deepEqual(packages.remove(file, 'chart'), NO_PACKAGES)
  })

  test("a package uses the dependencies in the app's lock file, and not those bundled in the package's archive", async () => {
    const read = async (file: PackagesFile, path: string) => {
      const folder = (await packages.folderFor(treeOf(file), caller)) ?? ''
      const place = join(folder, 'node_modules', path)
      return existsSync(place) ? readFileSync(place, 'utf8') : null
    }
    const nested = 'bundler/node_modules/shared/index.js'
    const alone = await any('bundler')
    assert.equal(await read(alone, nested), null)
    assert.match((await read(alone, 'shared/index.js')) ?? '', /shared@2\.1\.0/)
    assert.match((await read(alone, 'bundler/lib/node_modules/inner.js')) ?? '', /name/, 'it is no package')
    const beside = await any('bundler', await any('chart'))
    assert.match((await read(beside, 'shared/index.js')) ?? '', /shared@1\.0\.0/)
    assert.match((await read(beside, nested)) ?? '', /shared@2\.1\.0/)
  })

  test('a curated package needs no permission of the organization and is downloaded from the registry once for all apps', async () => {
    const asked = registry.requests.length
    const file = await packages.add(NO_PACKAGES, { name: 'listed', mayUseAny: false }, caller)
    await packages.folderFor(treeOf(file), caller)
    const again = open()
    await again.folderFor(treeOf(file), caller)
    await again.close()
    assert.deepEqual(registry.requests.slice(asked), ['listed/-/listed-1.0.0.tgz'])
  })

  test('a package outside the curated list is refused unless the organization allows it', async () => {
    await assert.rejects(
      packages.add(NO_PACKAGES, { name: 'chart', mayUseAny: false }, caller),
      /chart \* is not among the curated packages; .*ask the organization's administrator/,
    )
  })

  test('adding a package that every app already has is refused', async () => {
    await assert.rejects(any('react'), /Every app has react already; import it/)
  })

  test('packages that are malicious are refused with the reason, run no code and leave no files', async () => {
    for (const [{ name }, reason] of BAD) {
      const isRefused = (error: unknown) => error instanceof PackageRefusal && reason.test(error.message)
      await assert.rejects(any(name), isRefused, name)
      assert.ok(!existsSync(canary), `${name}: no script ran`)
      assert.deepEqual(readdirSync(join(dataDir, 'packages', 'work')), [], name)
    }
  })

  test("the size limit for an app's packages uses measured sizes, not the sizes that the registry states", async () => {
    const small = openPackages({
      dataDir,
      allow: [],
      log: silentLog,
      now: () => NOW,
      registry: async () => registry.url,
      limits: { packages: 150, unpackedBytes: 50_000 },
    })
    const file = await small.add(NO_PACKAGES, { name: 'sized', mayUseAny: true }, caller)
    const stated = file.lock['node_modules/sized']?.unpackedBytes ?? 0
    assert.ok(stated > 30_000 && stated < 31_000, `${stated}`)
    await assert.rejects(
      small.add(file, { name: 'sized-too', mayUseAny: true }, caller),
      /more than 0\.05 MB together; choose a smaller one or remove one/,
    )
    await small.close()
  })

  test('after kill -9 in the middle of a fetch the package cache is still usable', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-killed-'))
    undoAfter(t, async () => rmSync(folder, { recursive: true }))
    const reached = Promise.withResolvers<void>()
    // The first archive is stored; the download of the second never ends.
    registry.onRequest = (path) => {
      if (!path.includes('/-/') || path.startsWith('chart')) return
      reached.resolve()
      return new Promise<void>(() => {})
    }
    const code = `
      import { openPackages } from '${import.meta.dirname}/packages.ts'
      import { silentLog } from '${import.meta.dirname}/../../testing/database.ts'
      const [dataDir, url] = process.argv.slice(1)
      const packages = openPackages({ dataDir, allow: [], log: silentLog, registry: async () => url })
      await packages.add({ packages: {}, lock: {} }, { name: 'chart', mayUseAny: true }, { owner: 'org' })`
    const service = spawn(process.execPath, ['--input-type=module', '-e', code, folder, registry.url])
    await reached.promise
    const gone = once(service, 'exit')
    service.kill('SIGKILL')
    await gone
    registry.onRequest = () => {}
    assert.deepEqual(readdirSync(join(folder, 'packages', 'trees')), [])
    assert.equal(readdirSync(join(folder, 'packages', 'store')).length, 1)
    const asked = registry.requests.length
    const again = open(folder)
    undoAfter(t, () => again.close())
    const file = await again.add(NO_PACKAGES, { name: 'chart', mayUseAny: true }, caller)
    assert.ok(await again.folderFor(treeOf(file), caller))
    assert.ok(!registry.requests.slice(asked).includes('chart/-/chart-1.0.0.tgz'), 'what was stored is used')
  })

  test('a package is moved to its final path only after its files and folders are flushed to disk', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-flushed-'))
    undoAfter(t, async () => rmSync(folder, { recursive: true }))
    const handle = await openFile(folder)
    const kind = Object.getPrototypeOf(handle) as FileHandle
    await handle.close()
    const here = open(folder)
    undoAfter(t, () => here.close())
    const sync = kind.sync
    const seen: string[] = []
    const names = (under: string) => readdirSync(join(folder, 'packages', under)).length
    t.mock.method(kind, 'sync', async function (this: FileHandle) {
      const isFolder = (await this.stat()).isDirectory()
      seen.push(`${isFolder ? 'folder' : 'file'} with ${names('store')} stored and ${names('trees')} linked`)
      return await sync.call(this)
    })
    const file = await here.add(NO_PACKAGES, { name: 'listed', mayUseAny: false }, caller)
    t.mock.restoreAll()
    assert.ok(await here.folderFor(treeOf(file), caller))
    const isFile = (line: string) => line.startsWith('file')
    assert.deepEqual(
      seen.filter(isFile),
      Array(3).fill('file with 0 stored and 0 linked'),
      'two files and package.json',
    )
    assert.deepEqual(
      [...new Set(seen)],
      [
        'file with 0 stored and 0 linked',
        'folder with 0 stored and 0 linked',
        'folder with 1 stored and 0 linked',
        'folder with 1 stored and 1 linked',
      ],
    )
  })

  test('packages unused for two weeks and leftovers of a killed process are deleted', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-tidied-'))
    undoAfter(t, async () => rmSync(folder, { recursive: true }))
    let now = NOW
    const here = open(folder, () => now)
    undoAfter(t, () => here.close())
    const add = (name: string) => here.add(NO_PACKAGES, { name, mayUseAny: true }, caller)
    const [chart, helper] = [await add('chart'), await add('helper')]
    const inTrees = () => readdirSync(join(folder, 'packages', 'trees')).length
    const inStore = () => readdirSync(join(folder, 'packages', 'store')).length
    assert.deepEqual([inTrees(), inStore()], [2, 4])
    const left = join(folder, 'packages', 'work', 'left-by-a-kill')
    mkdirSync(left)
    utimesSync(left, new Date(NOW), new Date(NOW))
    now += 13 * 86_400_000
    const used = (await here.folderFor(treeOf(helper), caller)) ?? ''
    await here.tidy()
    assert.ok(!existsSync(left))
    assert.deepEqual([inTrees(), inStore()], [2, 4], 'nothing is unused for two weeks yet')
    now += 2 * 86_400_000
    await here.tidy()
    // The tree of chart was deleted. No other tree has `chart` and `shared` 1.0.0, so these packages were deleted too.
    assert.deepEqual([inTrees(), inStore()], [1, 2])
    assert.match(readFileSync(join(used, 'node_modules/helper/index.js'), 'utf8'), /helper/)
    const again = (await here.folderFor(treeOf(chart), caller)) ?? ''
    assert.match(readFileSync(join(again, 'node_modules/chart/index.js'), 'utf8'), /chart/)
  })

  test('a caller that aborts does not cancel a package fetch for which another caller waits', async (t) => {
    const fetching = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    registry.onRequest = (path) => {
      if (path !== 'many-7/-/many-7-1.0.0.tgz') return
      fetching.resolve()
      return answered.promise
    }
    undoAfter(t, async () => {
      registry.onRequest = () => {}
    })
    const file = {
      packages: { 'many-7': '1.0.0' },
      lock: { 'node_modules/many-7': registry.entryOf('many-7') },
    }
    const cancel = new AbortController()
    const cancelled = packages.folderFor(treeOf(file), { owner: 'one', signal: cancel.signal })
    await fetching.promise
    const waiting = packages.folderFor(treeOf(file), { owner: 'other', signal: new AbortController().signal })
    cancel.abort()
    await assert.rejects(cancelled, { name: 'AbortError' })
    answered.resolve()
    assert.ok(existsSync(join((await waiting) ?? '', 'node_modules/many-7/index.js')))
  })

  test('adding a package while the registry is unreachable fails with an error that tells the model what to do', async (t) => {
    const gone = openPackages({
      dataDir,
      allow: [],
      log: silentLog,
      registry: async () => 'http://127.0.0.1:2/',
    })
    undoAfter(t, () => gone.close())
    await assert.rejects(
      gone.add(NO_PACKAGES, { name: 'chart', mayUseAny: true }, caller),
      /The package chart could not be fetched: the registry cannot be reached \(ECONNREFUSED\); try again later or do without it\./,
    )
  })

  test('downloading a package whose checksum differs from the lock file is refused', async () => {
    const entry = { ...registry.entryOf('many-1'), integrity: registry.entryOf('many-2').integrity }
    const file = { packages: { 'many-1': '1.0.0' }, lock: { 'node_modules/many-1': entry } }
    await assert.rejects(packages.folderFor(treeOf(file), caller), /its checksum differs/)
  })

  test('a packages.json that is malformed or has a path outside its folder is refused', () => {
    const wrong = { packages: {}, lock: { 'node_modules/../../x': registry.entryOf('listed') } }
    for (const text of ['{', JSON.stringify(wrong), '{"packages":{"A B":"1.0.0"},"lock":{}}'])
      assert.equal(readPackagesFile(new Map([[PACKAGES_FILE, text]])), null, text)
  })
})

describe('the lock file in the repository of an app', () => {
  test('the package-lock.json of an app has its added and built-in packages, with checksums and without registry addresses', () => {
    const name = 'recharts'
    const file = { packages: { [name]: CURATED_LIST.packages[name] ?? '' }, lock: CURATED_LIST.lock }
    const tree = completeTree(
      new Map([...starterTree('Charts'), [PACKAGES_FILE, writePackagesFile(file)]]),
      new Set(),
    )
    const asked = JSON.parse(tree.get('package.json') ?? '') as { dependencies: Record<string, string> }
    assert.equal(asked.dependencies[name], CURATED_LIST.packages[name])
    const lock = JSON.parse(tree.get('package-lock.json') ?? '') as {
      packages: Record<
        string,
        { version?: string; integrity?: string; resolved?: string; dependencies?: object }
      >
    }
    assert.deepEqual(lock.packages['']?.dependencies, asked.dependencies)
    assert.equal(lock.packages['node_modules/react']?.version, asked.dependencies['react'])
    assert.match(lock.packages['node_modules/recharts']?.integrity ?? '', /^sha512-/)
    assert.ok(!JSON.stringify(lock).includes('unpackedBytes') && !JSON.stringify(lock).includes('"resolved"'))
  })
})

describe('the curated packages', () => {
  test('at least thirty packages are curated, each with a locked version, a measured size and a short purpose', () => {
    assert.ok(CURATED_PACKAGES.length >= 30)
    const base = baseLock()
    for (const { name, types, purpose } of CURATED_PACKAGES) {
      assert.equal(CURATED_LIST.lock[`node_modules/${name}`]?.version, CURATED_LIST.packages[name], name)
      if (types !== undefined) assert.ok(CURATED_LIST.packages[types], types)
      assert.ok((CURATED_LIST.kilobytes[name] ?? 0) > 0 && purpose.length < 60, name)
      assert.equal(base[`node_modules/${name}`]?.version, undefined, name)
    }
  })
})
