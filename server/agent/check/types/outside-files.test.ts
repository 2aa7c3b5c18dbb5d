import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packagesFolder } from '../../source/locked-runtime.ts'
import { findCompiler } from './compiler.ts'
import { refuseOutsideFiles } from './outside-files.ts'

const MESSAGE =
  'A file outside the app is referred to. Only files of the app and the listed packages can be used.'

describe('the files that the compiler reads for an app', () => {
  let top: string
  let target: string
  before(() => {
    top = mkdtempSync(join(tmpdir(), 'outside-'))
    target = join(top, 'app')
    for (const folder of ['app', 'apple', 'packages']) mkdirSync(join(top, folder))
    symlinkSync(target, join(top, 'link'))
  })
  after(() => rmSync(top, { recursive: true }))

  const refused = (
    files: string[],
    given: { tree?: Record<string, string>; packages?: string; target?: string } = {},
  ) =>
    refuseOutsideFiles(
      new Map(Object.entries(given.tree ?? {})),
      given.target ?? target,
      files,
      given.packages ?? null,
    )
  const placesOf = (...given: Parameters<typeof refused>) => refused(...given).map(({ file }) => file)

  test("type checking accepts a file in the app's folder, even when the folder is reached through a symbolic link", () => {
    assert.deepEqual(refused([join(target, 'web/a.ts'), join(realpathSync(target), 'server/b.ts')]), [])
    assert.deepEqual(refused([join(realpathSync(target), 'a.ts')], { target: join(top, 'link') }), [])
  })

  test('type checking accepts files of the compiler, of built-in packages, and of added packages whose folder is given', () => {
    const react = realpathSync(
      dirname(createRequire(join(packagesFolder, 'package.json')).resolve('react/package.json')),
    )
    assert.deepEqual(refused([join(react, 'index.d.ts'), join(dirname(findCompiler()), 'lib.d.ts')]), [])
    const packages = join(top, 'packages')
    const file = join(realpathSync(packages), 'node_modules/chart/index.d.ts')
    assert.deepEqual(refused([file], { packages }), [])
    assert.equal(refused([file]).length, 1)
  })

  test('in the list of files that the compiler prints, lines that are not absolute paths are skipped', () => {
    assert.deepEqual(refused(['', 'web/a.ts', 'error TS1: x', './a.ts']), [])
  })

  test('type checking refuses a file outside the app, and the error contains neither the path nor the text of the file', () => {
    assert.deepEqual(refused(['/etc/passwd']), [
      {
        phase: 'types',
        file: 'tsconfig.json',
        line: 0,
        column: 0,
        code: 'outside',
        message: MESSAGE,
        excerpt: '',
      },
    ])
  })

  test("a folder whose name only begins like the app's folder is outside the app, and so is a path that leaves the folder with ..", () => {
    for (const file of [
      join(top, 'apple/a.ts'),
      `${target}${sep}..${sep}apple${sep}a.ts`,
      `${target}.ts`,
      top,
    ])
      assert.deepEqual(placesOf([file]), ['tsconfig.json'], file)
  })

  test('a file outside the app is reported at the first app file that imports it, and never at a locked file', () => {
    const tree = {
      'platform/a.ts': "import '/srv/secrets.ts'",
      'web/a.ts': 'import x from "../a.ts"',
      'web/b.ts': "import '/srv/secrets.ts'",
      'web/c.ts': "import '/srv/secrets.ts'",
    }
    for (const file of ['/srv/secrets.ts', '/srv/secrets.d.ts', '/srv/secrets.json'])
      assert.deepEqual(placesOf([file], { tree }), ['web/b.ts'])
    assert.deepEqual(placesOf(['/srv/other.ts', '/srv/secrets.ts'], { tree }), ['tsconfig.json', 'web/b.ts'])
  })
})
