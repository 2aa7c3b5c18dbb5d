import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { integrityOf, packArchive, type TarEntry } from '../../testing/providers/npm-registry.ts'
import { PackageRefusal } from './resolve.ts'
import { readTarball } from './tarball.ts'

const text = (path: string, content = ''): TarEntry => ({ path, bytes: Buffer.from(content) })
const manifest = text('package/package.json', '{}')

const read = (archive: Uint8Array) => readTarball('chart 1.0.0', archive, integrityOf(archive))
/** Returns the paths and texts of the files that are read from an archive of these entries. The archive's package.json is left out. */
const filesOf = (...entries: TarEntry[]) =>
  read(packArchive([manifest, ...entries]))
    .map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])
    .filter(([path]) => path !== 'package.json')
/** Returns an uncompressed archive of one entry with a changed header, whose checksum `readTarball` does not verify. */
function withHeader(entry: TarEntry, change: (head: Buffer) => void): Buffer {
  const tar = gunzipSync(packArchive([entry]))
  change(tar.subarray(0, 512))
  return tar
}
const refuses = (archive: Uint8Array, message: string) =>
  assert.throws(
    () => read(archive),
    (error) => {
      assert.ok(error instanceof PackageRefusal, String(error))
      assert.equal(error.message, message)
      return true
    },
  )
const DAMAGED = 'chart 1.0.0 is a damaged archive; choose another version.'
const outside = (path: string) =>
  `chart 1.0.0 holds a file outside its own folder (${path}); choose another package.`
const header = (size: string) => (head: Buffer) => head.write(size.padEnd(12, '\0'), 124)

describe('the archive of a package', () => {
  test('only code, types, styles, pictures, fonts and licenses of a package are read, without the first folder of the path', () => {
    const kept = [
      'index.js',
      'a/b.mjs',
      'c.cjs',
      'd.json',
      'e.css',
      'f.d.ts',
      'g.d.mts',
      'h.svg',
      'i.PNG',
      'j.woff2',
      'LICENSE',
      'license.md',
      'docs/Copying',
      'NOTICE.txt',
    ]
    const skipped = [
      'index.js.map',
      'README.md',
      'src/index.ts',
      'a.tsx',
      'unlicensed.txt',
      'x.jsx',
      '.npmrc',
    ]
    const entries = [...kept, ...skipped].map((path) => text(`package/${path}`, path))
    assert.deepEqual(
      filesOf(...entries),
      kept.map((path) => [path, path]),
    )
  })

  test('the top folder of a package archive may have any name, and entries for folders or outside files are skipped', () => {
    const folder = { path: 'package/lib/', type: '5' }
    assert.deepEqual(filesOf(folder, text('chart-1.0.0/lib/a.js', 'a'), text('stray.js', 'b')), [
      ['lib/a.js', 'a'],
    ])
  })

  test('the last of two files with the same path in a package archive is kept', () => {
    assert.deepEqual(filesOf(text('package/a.js', 'first'), text('package/a.js', 'last')), [['a.js', 'last']])
  })

  test('a path in a pax header or in a GNU long name of a package archive replaces the path of the next entry only', () => {
    const long = `package/${'folder/'.repeat(25)}a.js`
    const record = ` path=${long}\n`
    const pax = { ...text('PaxHeader', `${record.length + 3}${record}21 mtime=1600000000\n`), type: 'x' }
    const gnu = { ...text('././@LongLink', `${long}\0`), type: 'L' }
    for (const head of [pax, gnu])
      assert.deepEqual(filesOf(head, text('package/short.js', 'a'), text('package/b.js', 'b')), [
        [long.replace('package/', ''), 'a'],
        ['b.js', 'b'],
      ])
  })

  test('a path in a global pax header of a package archive is ignored', () => {
    const global = { ...text('pax_global_header', '30 path=package/evil/renamed.js\n'), type: 'g' }
    assert.deepEqual(filesOf(global, text('package/a.js', 'a')), [['a.js', 'a']])
  })

  test("the path prefix in a package archive's entry header is used only if the header has the ustar format", () => {
    const prefixed = withHeader(text('a.js', 'a'), (head) => head.write('package/deep', 345))
    const old = withHeader(text('package/b.js', 'b'), (head) => {
      head.write('other', 257)
      head.write('package/deep', 345)
    })
    const tar = Buffer.concat([gunzipSync(packArchive([manifest])), prefixed, old])
    assert.deepEqual(
      read(gzipSync(tar)).map(({ path }) => path),
      ['package.json', 'deep/a.js', 'b.js'],
    )
  })

  test('entries after the first empty block of a package archive are not read', () => {
    const tar = [packArchive([manifest]), gzipSync(Buffer.alloc(1024)), packArchive([text('/etc/passwd')])]
    const archive = gzipSync(Buffer.concat(tar.map((part) => gunzipSync(part))))
    assert.deepEqual(
      read(archive).map(({ path }) => path),
      ['package.json'],
    )
  })

  test("a package archive is refused when an entry, a pax header or a GNU long name has a path outside the package's folder", () => {
    for (const path of [
      '/tmp/a.js',
      'package/../a.js',
      '../a.js',
      'package/./a.js',
      'package//a.js',
      'package\\a.js',
      'C:/a.js',
    ])
      refuses(packArchive([manifest, text(path)]), outside(path))
    const record = '29 path=package/../../a.js\n'
    refuses(
      packArchive([{ ...text('x', record), type: 'x' }, text('package/a.js')]),
      outside('package/../../a.js'),
    )
    refuses(packArchive([{ ...text('x', '/a.js\0'), type: 'L' }, text('package/a.js')]), outside('/a.js'))
  })

  test('a package archive with a path of more than 300 characters is refused', () => {
    const named = (path: string) => [{ ...text('x', `${path}\0`), type: 'L' }, text('package/short.js')]
    const path = (chars: number) => `package/${'a/'.repeat(143)}${'b'.repeat(chars - 297)}.js`.slice(0, chars)
    assert.equal(path(300).length, 300)
    assert.equal(
      filesOf(...named(path(300)), text('package/z.js'))[0]?.[0],
      path(300).slice('package/'.length),
    )
    refuses(packArchive([manifest, ...named(path(301))]), outside(path(301).slice(0, 80)))
  })

  test('a package archive with an overlong file name is refused', () => {
    const named = (name: string) => [
      { ...text('x', `package/${name}\0`), type: 'L' },
      text('package/short.js'),
    ]
    assert.deepEqual(filesOf(...named(`${'a'.repeat(252)}.js`)), [[`${'a'.repeat(252)}.js`, '']])
    refuses(packArchive([manifest, ...named(`${'a'.repeat(253)}.js`)]), DAMAGED)
    refuses(packArchive([manifest, ...named(`${'ä'.repeat(127)}.js`)]), DAMAGED)
  })

  test('a package archive in which one path is both a file and a folder is refused', () => {
    for (const paths of [
      ['package/a.js', 'package/a.js/b.js'],
      ['package/a.js/b/c.js', 'package/a.js'],
    ])
      refuses(packArchive([manifest, ...paths.map((path) => text(path))]), DAMAGED)
  })

  test('a package archive with links or devices is refused', () => {
    for (const type of ['1', '2', '3', '6', 'K'])
      refuses(
        packArchive([manifest, { path: 'package/a.js', type }]),
        'chart 1.0.0 holds a link or a device (a.js), which could lead out of its folder; choose another package.',
      )
  })

  test('a package archive with a native binary, recognized by the file name or the first bytes, is refused', () => {
    const native = (path: string) =>
      `chart 1.0.0 holds a native binary (${path}), which no browser or worker runs; choose a package of plain JavaScript.`
    for (const path of ['a.node', 'lib/a.SO', 'a.dll', 'binding.gyp', 'deep/binding.gyp'])
      refuses(packArchive([manifest, text(`package/${path}`)]), native(path))
    for (const start of ['7f454c46', 'cffaedfe', 'cafebabe', '4d5a9000'])
      refuses(
        packArchive([manifest, { path: 'package/a.js', bytes: Buffer.from(`${start}00`, 'hex') }]),
        native('a.js'),
      )
    assert.deepEqual(filesOf(text('package/a.js', 'MZ')), [['a.js', 'MZ']])
  })

  test('a package without a readable package.json, or with an install script, is refused', () => {
    const unreadable = 'chart 1.0.0 has no readable package.json; choose another package.'
    refuses(packArchive([text('package/a.js')]), unreadable)
    for (const content of ['', '{', 'null', '[]', '"x"'])
      refuses(packArchive([text('package/package.json', content)]), unreadable)
    for (const name of ['preinstall', 'install', 'postinstall'])
      refuses(
        packArchive([text('package/package.json', JSON.stringify({ scripts: { [name]: 'x' } }))]),
        'chart 1.0.0 runs a script when it is installed, which never happens here; choose a package without one.',
      )
    const harmless = text('package/package.json', '{"scripts":"install"}')
    assert.equal(read(packArchive([harmless])).length, 1)
  })

  test('a package archive whose checksum differs from the locked one is refused before it is unpacked', () => {
    assert.throws(
      () => readTarball('chart 1.0.0', Buffer.from('no archive'), integrityOf(Buffer.from('x'))),
      {
        message:
          'chart 1.0.0 is not the package that was locked (its checksum differs); remove it and add it again, or ask who runs the registry.',
      },
    )
  })

  test('a package archive that is truncated, or is not an archive, is refused', () => {
    const unreadable = 'chart 1.0.0 is not a readable archive; choose another version.'
    const whole = packArchive([manifest, text('package/a.js', 'a'.repeat(600))])
    refuses(Buffer.from('<html>'), unreadable)
    refuses(Buffer.alloc(0), unreadable)
    refuses(whole.subarray(0, whole.length - 9), unreadable)
    refuses(gzipSync(gunzipSync(whole).subarray(0, 512 * 3 + 599)), DAMAGED)
  })

  test('a package archive with an entry whose size is not a valid number of bytes is refused', () => {
    for (const size of ['zzz', '-1', '-1000', '77777777777'])
      refuses(gzipSync(withHeader(text('package/package.json', '{}'), header(size))), DAMAGED)
    const bigNumber = (head: Buffer) => void head.fill(0xff, 124, 136)
    refuses(gzipSync(withHeader(text('package/package.json', '{}'), bigNumber)), DAMAGED)
  })

  test('a package archive of more than 20,000 files is refused', () => {
    const [first, other] = [manifest, text('package/a.js')].map((entry) => gunzipSync(packArchive([entry])))
    // Not compressed, because an archive that unpacks to more than 60 times its size is refused with another message.
    const many = (count: number) =>
      gzipSync(Buffer.concat([first as Buffer, Buffer.alloc(512 * (count - 1), other)]), { level: 0 })
    assert.deepEqual(
      read(many(20_000)).map(({ path }) => path),
      ['package.json', 'a.js'],
    )
    refuses(many(20_001), 'chart 1.0.0 has more than 20000 files; choose a smaller package.')
  })
})
