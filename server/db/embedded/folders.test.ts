import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type DatabaseFolders, prepareFolders, writePointer } from './folders.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
/** An account with the ids of this process, because only root may give the socket folder to another account. */
const OTHER_ACCOUNT = { name: 'stranger', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

describe('the folders of the embedded database', () => {
  let top: string
  let dataDir: string
  let fallback: string
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'place-'))
    dataDir = join(top, 'deep', 'data')
    fallback = join(top, 'fallback')
  })
  afterEach(() => {
    rmSync(top, { recursive: true, force: true })
  })
  const prepare = (account: typeof OTHER_ACCOUNT | null = null) => prepareFolders(dataDir, account, fallback)
  const foldersAt = (root: string): DatabaseFolders => ({
    home: join(dataDir, 'postgres'),
    root,
    cluster: join(root, '18'),
    socketDir: join(root, 'run'),
    log: join(root, 'log'),
  })
  /** Writes a pointer file with this text, as an earlier start would. */
  const point = (text: string) => {
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'location'), text)
  }

  test('the database files are in the data directory, which only its owner can read', async () => {
    const folders = await prepare()
    assert.deepEqual(folders, foldersAt(join(dataDir, 'postgres')))
    assert.deepEqual([modeOf(folders.home), modeOf(folders.socketDir)], ['700', '700'])
    assert.deepEqual([existsSync(folders.cluster), existsSync(fallback)], [false, false])
    await writePointer(folders)
    assert.equal(existsSync(join(folders.home, 'location')), false)
    assert.deepEqual(await prepare(), folders)
  })

  test('a Postgres socket whose path would be too long is in the same folder of the temp directory at every start', async () => {
    dataDir = join(top, 'd'.repeat(100), 'data')
    const { socketDir, home } = await prepare()
    assert.match(socketDir, new RegExp(`^${tmpdir()}/slipway-[0-9a-f]{16}$`))
    assert.equal(modeOf(socketDir), '700')
    assert.equal((await prepare()).socketDir, socketDir)
    assert.equal(existsSync(join(home, 'run')), false)
    rmSync(socketDir, { recursive: true })
  })

  test('a file at the path of the Postgres socket folder is refused', async () => {
    const home = join(dataDir, 'postgres')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'run'), '')
    await assert.rejects(prepare(), { code: 'EEXIST' })
  })

  test('a Postgres socket folder that was accessible to others becomes accessible to its owner only', async () => {
    const { socketDir } = await prepare()
    chmodSync(socketDir, 0o777)
    await prepare()
    assert.equal(modeOf(socketDir), '700')
  })

  test('a pointer file in the data directory gives the path of database files elsewhere, even with white space around the path', async () => {
    const root = join(fallback, 'abc')
    mkdirSync(join(root, '18'), { recursive: true })
    point(` ${root}\n\n`)
    assert.deepEqual(await prepare(), foldersAt(root))
    assert.deepEqual([modeOf(fallback), modeOf(root)], ['711', '711'])
  })

  test('a pointer file to database files that no longer exist is an error, because a new database would hide the data loss', async () => {
    const root = join(fallback, 'gone')
    point(`${root}\n`)
    await assert.rejects(prepare(), {
      message: `${join(dataDir, 'postgres', 'location')} says that the database lies in ${root}, but it is gone; restore it or remove that file.`,
    })
    assert.equal(existsSync(root), false)
  })

  test('an empty pointer file, as after a power failure, selects the fallback folder and never creates a new database', async () => {
    const root = join(fallback, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
    for (const text of ['', '\n']) {
      point(text)
      await assert.rejects(prepare(), { message: new RegExp(`lies in ${root}, but it is gone`) })
    }
    mkdirSync(join(root, '18'), { recursive: true })
    assert.deepEqual(await prepare(), foldersAt(root))
  })

  test('a pointer file is written atomically and leads the next start to the same folders', async () => {
    const root = join(fallback, 'abc')
    mkdirSync(join(root, '18'), { recursive: true })
    const home = join(dataDir, 'postgres')
    mkdirSync(home, { recursive: true })
    await writePointer(foldersAt(root))
    assert.equal(readFileSync(join(home, 'location'), 'utf8'), `${root}\n`)
    assert.equal(existsSync(join(home, 'location.new')), false)
    assert.deepEqual(await prepare(), foldersAt(root))
  })

  test('when Postgres runs as another system user, other users may traverse the data directory but not list it', async () => {
    const folders = await prepare(OTHER_ACCOUNT)
    assert.deepEqual([modeOf(dataDir), modeOf(folders.home)], ['711', '711'])
  })

  // Only root may give the socket folder to another account, and only root can reach the data directory here.
  const skip = process.getuid?.() !== 0
  test(
    'the database files are in the fallback folder when the Postgres user cannot traverse the parents of the data directory',
    { skip },
    async () => {
      mkdirSync(join(top, 'deep'), { mode: 0o600 })
      const folders = await prepare({ name: 'nobody', uid: 65534, gid: 65534 })
      assert.match(folders.root, new RegExp(`^${fallback}/[0-9a-f]{16}$`))
      assert.deepEqual([modeOf(fallback), modeOf(folders.root)], ['711', '711'])
      assert.equal(folders.home, join(dataDir, 'postgres'))
      assert.equal(statSync(folders.socketDir).uid, 65534)
    },
  )
})
