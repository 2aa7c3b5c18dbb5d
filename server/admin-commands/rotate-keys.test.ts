import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Keyring, loadKeyring, verifyKeyring } from '../crypto/keyring.ts'
import { openMail, sealMail } from '../mail/content.ts'
import { startPresence } from '../jobs/presence.ts'
import { silentLog, type TestDatabase, testDatabase } from '../testing/database.ts'
import { rotateKeys } from './rotate-keys.ts'

// More rows than two batches hold, so that the process can be killed between them.
const MAILS = 1100
const now = new Date('2026-11-20T18:00:00.000Z')

describe('rotating the encryption key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-rotate-'))
  let database: TestDatabase
  let secretsFile: string
  let files = 0
  before(async () => {
    database = await testDatabase()
  })
  after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    secretsFile = join(folder, `secrets-${++files}.json`)
    await database.pool.query('delete from mails; delete from encryption_keys')
    const keyring = loadKeyring({ secrets: null, file: secretsFile })
    await verifyKeyring(database.db, keyring, now)
    const ids = Array.from({ length: MAILS }, (_, i) => `mail_${String(i).padStart(5, '0')}`)
    const texts = ids.map((id) => sealMail(keyring, id, { subject: id, text: `canary ${id}`, html: '' }))
    await database.pool.query(
      `insert into mails (id, kind, recipient, state, content, created_at, updated_at)
       select id, 'verify', 'ann@example.test', 'held', content, now(), now() from unnest($1::text[], $2::text[]) as m (id, content)`,
      [ids, texts],
    )
  })

  const ringIds = () =>
    (JSON.parse(readFileSync(secretsFile, 'utf8')) as { ring: { id: string }[] }).ring.map(({ id }) => id)
  const storedKeyIds = async () =>
    (await database.pool.query<{ kid: string }>('select kid from encryption_keys order by 1')).rows.map(
      ({ kid }) => kid,
    )
  const requireReadable = async (keyring: Keyring) => {
    const { rows } = await database.pool.query<{ id: string; content: string }>(
      'select id, content from mails',
    )
    assert.equal(rows.length, MAILS)
    for (const { id, content } of rows) assert.equal(openMail(keyring, id, content).text, `canary ${id}`)
  }

  test('rotating the encryption key encrypts every stored value again and leaves one key in the secrets file and in the database', async () => {
    const rotated = await rotateKeys({ database, secretsFile, now })
    assert.deepEqual(rotated, { key: 'k2', forgotten: ['k1'], values: MAILS })
    assert.deepEqual([ringIds(), await storedKeyIds()], [['k2'], ['k2']])
    assert.equal(statSync(secretsFile).mode & 0o777, 0o600)
    await requireReadable(loadKeyring({ secrets: null, file: secretsFile }))
    assert.equal((await rotateKeys({ database, secretsFile, now })).key, 'k3')
    await requireReadable(loadKeyring({ secrets: null, file: secretsFile }))
  })

  test('after a key rotation is killed at any step, all values can be decrypted, and the next rotation completes the killed one', async () => {
    for (let step = 1, isOver = false; !isOver; step++) {
      isOver = (await rotateInChild(database.url, secretsFile, step)) === 0
      const keyring = loadKeyring({ secrets: null, file: secretsFile })
      await verifyKeyring(database.db, keyring, now)
      await requireReadable(keyring)
      await rotateKeys({ database, secretsFile, now })
      assert.equal(ringIds().length, 1, `after a kill at step ${step}`)
      assert.deepEqual(await storedKeyIds(), ringIds())
      await requireReadable(loadKeyring({ secrets: null, file: secretsFile }))
      assert.ok(step < 50)
      if (isOver) assert.ok(step > 8, 'it was killed at each of eight steps')
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.new')),
      [],
    )
  })

  test('a key rotation is refused while a service process is alive, and changes nothing', async () => {
    const presence = await startPresence({
      url: database.url,
      role: 'web',
      log: silentLog,
      onAlone: async () => {},
      onLiving: () => {},
    })
    await assert.rejects(
      rotateKeys({ database, secretsFile, now }),
      /^AdminError: Slipway is running \(web on .*\)\. Stop every process/,
    )
    assert.deepEqual([ringIds(), await storedKeyIds()], [['k1'], ['k1']])
    await presence.leave()
    await rotateKeys({ database, secretsFile, now })
  })

  test('a process that read the secrets file before a key rotation cannot start after the rotation', async () => {
    const late = loadKeyring({ secrets: null, file: secretsFile })
    await rotateKeys({ database, secretsFile, now })
    await assert.rejects(verifyKeyring(database.db, late, now), /encrypted with another key k2/)
    assert.deepEqual(await storedKeyIds(), ['k2'])
  })

  test('a key rotation fails at a value that no key decrypts, names the row of the value and keeps the old key', async () => {
    await database.pool.query(`update mails set content = 'k1.AAAAAAAAAAAAAAAA.AAAA' where id = 'mail_00007'`)
    await assert.rejects(
      rotateKeys({ database, secretsFile, now }),
      /1 sealed values open with none of the keys: mails\.content of mail_00007\. The old keys stay/,
    )
    assert.deepEqual(ringIds(), ['k2', 'k1'])
    await database.pool.query(`delete from mails where id = 'mail_00007'`)
    await rotateKeys({ database, secretsFile, now })
    assert.deepEqual(ringIds(), ['k2'])
  })

  test('a key rotation is refused when the secrets are not in a file or the file is missing, and says what to do instead', async () => {
    await assert.rejects(
      rotateKeys({ database, secretsFile: null, now }),
      /Put them into a file, set SLIPWAY_SECRETS_FILE/,
    )
    await assert.rejects(
      rotateKeys({ database, secretsFile: join(folder, 'none.json'), now }),
      /There is no secrets file/,
    )
  })
})

/**
 * Rotates in a child process that kills itself after `steps` steps. Resolves to the exit code, null when
 * killed.
 */
async function rotateInChild(url: string, secretsFile: string, steps: number): Promise<number | null> {
  const fileUrl = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const source = `
    import { pino } from 'pino'
    import { openDatabase } from ${fileUrl('../db/database.ts')}
    import { rotateKeys } from ${fileUrl('./rotate-keys.ts')}
    const database = openDatabase({ url: ${JSON.stringify(url)}, log: pino({ level: 'silent' }) })
    let steps = 0
    await rotateKeys({ database, secretsFile: ${JSON.stringify(secretsFile)}, now: new Date(),
      onStep: () => { if (++steps === ${steps}) process.kill(process.pid, 'SIGKILL') } })
    await database.close()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve) => child.once('exit', resolve))
}
