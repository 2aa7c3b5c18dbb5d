import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURATED_LIST, CURATED_PACKAGES } from '../../agent/packages/curated.ts'
import {
  type LockedPackage,
  PACKAGES_FILE,
  type PackagesFile,
  writePackagesFile,
} from '../../agent/source/packages-file.ts'
import type { Packages } from '../../agent/packages/packages.ts'
import { PackageRefusal } from '../../agent/packages/resolve.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import { packageTool } from './package-tool.ts'

const ENTRY: LockedPackage = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==`, unpackedBytes: 7 }
const fileOf = (...names: string[]): PackagesFile => ({
  packages: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
  lock: Object.fromEntries(names.map((name) => [`node_modules/${name}`, ENTRY])),
})

/** Opens the tool for an app whose `packages.json` has the text `stored`. `asked` lists the packages that the tool requests. */
function openTool(given: { stored?: string; mayUseAny?: boolean; add?: Packages['add'] } = {}) {
  const asked: unknown[] = []
  const files = new Map(given.stored === undefined ? [] : [[PACKAGES_FILE, given.stored]])
  const workspace = new Workspace({ base: files, tree: files, enabled: [] })
  const packages: Packages = {
    add: async (file, wanted, caller) => {
      asked.push([wanted, caller.owner])
      if (given.add !== undefined) return await given.add(file, wanted, caller)
      return fileOf(...Object.keys(file.packages), wanted.name)
    },
    remove: (file, name) => fileOf(...Object.keys(file.packages).filter((one) => one !== name)),
    folderFor: async () => null,
    tidy: async () => {},
    close: async () => {},
  }
  const mayUseAny = async () => given.mayUseAny ?? false
  const tool = packageTool(workspace, { packages, owner: 'org', mayUseAny })
  const run = (args: object) => tool.run(args, { key: 'k', signal: new AbortController().signal })
  const stored = () => workspace.tree.get(PACKAGES_FILE)
  return { run, asked, stored, workspace }
}

const refusal = (code: string, message: string) => ({ ok: false, code, text: `${code}: ${message}` })

describe('the tool for the packages of an app', () => {
  test('the package tool accepts exactly one of the arguments find, add and remove', async () => {
    const { run, asked } = openTool()
    const refused = refusal('invalid_arguments', 'give exactly one of find, add and remove')
    for (const args of [{}, { find: '', add: 'chart' }, { add: 'chart', remove: 'chart' }])
      assert.deepEqual(await run(args), refused)
    assert.deepEqual(asked, [])
  })

  test('a package search lists the packages that match every search word, in upper or lower case', async () => {
    const { run } = openTool()
    const { ok, text } = await run({ find: '  DRAG   touch ' })
    assert.deepEqual(
      [ok, text],
      [
        true,
        [
          'The app has added no package.',
          `- @dnd-kit/core ${CURATED_LIST.packages['@dnd-kit/core']} (web, at most ${CURATED_LIST.kilobytes['@dnd-kit/core']} kB): drag and drop with pointer, touch and keyboard`,
          'Other packages cannot be added: the organization does not allow it.',
        ].join('\n'),
      ],
    )
  })

  test("a package search without words or matches lists all curated packages and names the app's added packages", async () => {
    for (const find of ['', ' ', 'no such purpose']) {
      const { run } = openTool({ stored: writePackagesFile(fileOf('clsx', 'chart')), mayUseAny: true })
      const lines = (await run({ find })).text.split('\n')
      assert.equal(lines[0], 'The app has chart 1.0.0, clsx 1.0.0.')
      assert.equal(lines.length, CURATED_PACKAGES.length + 2)
      assert.equal(lines.at(-1), 'Any other package of the registry can be added by its name too.')
    }
  })

  test('adding a package with its version range stores packages.json and returns how many lines were added and removed', async () => {
    const { run, asked, stored } = openTool({ mayUseAny: true })
    const text = writePackagesFile(fileOf('@a/chart'))
    assert.deepEqual(await run({ add: '@a/chart@^1.0.0' }), {
      ok: true,
      text: 'Added @a/chart 1.0.0.',
      change: {
        path: PACKAGES_FILE,
        op: 'write',
        bytes: Buffer.byteLength(text),
        added: text.split('\n').length - 1,
        removed: 0,
      },
    })
    assert.equal(stored(), text)
    const second = await run({ add: 'chart.js' })
    assert.deepEqual([second.change?.op, second.change?.removed], ['edit', text.split('\n').length - 1])
    assert.match(
      second.text,
      /^Added chart\.js 1\.0\.0\.\nIt is large: load the component that uses it with lazy\(/,
    )
    assert.deepEqual(asked, [
      [{ name: '@a/chart', range: '^1.0.0', mayUseAny: true }, 'org'],
      [{ name: 'chart.js', mayUseAny: true }, 'org'],
    ])
  })

  test('adding a package that the app already has is refused, even with another version', async () => {
    const { run, asked } = openTool({ stored: writePackagesFile(fileOf('chart')) })
    const refused = refusal('unchanged', 'the app has chart 1.0.0; remove it first to change its version')
    assert.deepEqual(await run({ add: 'chart' }), refused)
    assert.deepEqual(await run({ add: 'chart@2.0.0' }), refused)
    assert.deepEqual(asked, [])
  })

  test('a string that is not a package name is refused before the registry is called', async () => {
    const { run, asked } = openTool()
    const named = [
      ['../evil', '../evil'],
      ['UPPER', 'UPPER'],
      ['@a', '@a'],
      ['https://evil.test/x.tgz', 'https://evil.test/x.tgz'],
      ['', 'this'],
      ['@', 'this'],
      ['chart@', 'this'],
      ['@@a/b', 'this'],
    ] as const
    for (const [add, name] of named)
      assert.deepEqual(
        await run({ add }),
        refusal('invalid_arguments', `${name} is not the name of a package`),
      )
    assert.deepEqual(asked, [])
  })

  test('a refused package is returned to the model and changes no file; any other failure is thrown and ends the run', async () => {
    const error = (thrown: Error) => ({ add: () => Promise.reject(thrown) })
    const refused = openTool(error(new PackageRefusal('chart has a native binary.')))
    assert.deepEqual(
      await refused.run({ add: 'chart' }),
      refusal('not_allowed', 'chart has a native binary.'),
    )
    assert.equal(refused.stored(), undefined)
    await assert.rejects(openTool(error(new Error('disk full'))).run({ add: 'chart' }), /disk full/)
  })

  test('removing a package stores packages.json without the package, and removing an unknown package returns not_found', async () => {
    const { run, stored } = openTool({ stored: writePackagesFile(fileOf('chart', 'clsx')) })
    const text = writePackagesFile(fileOf('clsx'))
    const removed = await run({ remove: 'chart' })
    assert.deepEqual([removed.ok, removed.text, removed.change?.op], [true, 'Removed chart.', 'edit'])
    assert.equal(stored(), text)
    assert.deepEqual(await run({ remove: 'chart' }), refusal('not_found', 'the app has no package chart'))
  })

  test('a name such as constructor, which every JavaScript object has, is not taken for a package that the app has', async () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const { run, stored } = openTool()
      assert.deepEqual(await run({ remove: name }), refusal('not_found', `the app has no package ${name}`))
      assert.equal(stored(), undefined)
    }
    const { run } = openTool()
    assert.equal((await run({ add: 'constructor' })).text, 'Added constructor 1.0.0.')
  })

  test('a damaged packages.json is left unchanged, and a search still lists the packages that can be added', async () => {
    const { run, stored, asked } = openTool({ stored: '{"packages":' })
    const refused = refusal('not_allowed', 'packages.json is damaged; restore an earlier version')
    assert.deepEqual(await run({ add: 'chart' }), refused)
    assert.deepEqual(await run({ remove: 'chart' }), refused)
    assert.match((await run({ find: 'drag' })).text, /^The app has added no package\.\n/)
    assert.deepEqual([stored(), asked], ['{"packages":', []])
  })
})
