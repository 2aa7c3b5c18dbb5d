import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { testDatabase } from '../testing/database.ts'
import { loadKeyring, makeKeyring, type SealedPlace, UnreadableError, verifyKeyring } from './keyring.ts'
import { newSecrets, SecretsError } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-keyring-'))
const place: SealedPlace = { table: 'connections', id: 'con_1', column: 'token', organizationId: 'org_1' }
const inFile = (name: string) => loadKeyring({ secrets: null, file: join(folder, name) })

describe('the keyring', () => {
  after(() => rmSync(folder, { recursive: true }))

  describe('secrets', () => {
    test('the first start creates a secrets file that only its owner may read, and later starts read the same keys', () => {
      const sealed = inFile('deep/secrets.json').seal('canary', place)
      assert.equal(statSync(join(folder, 'deep/secrets.json')).mode & 0o777, 0o600)
      assert.equal(inFile('deep/secrets.json').open(sealed, place), 'canary')
      assert.deepEqual(readdirSync(join(folder, 'deep')), ['secrets.json'], 'no draft is left behind')
    })

    test('when the secrets are passed as text instead of a file, no secrets file is created', () => {
      const ring = inFile('one.json')
      const text = readFileSync(join(folder, 'one.json'), 'utf8')
      const given = loadKeyring({ secrets: text, file: join(folder, 'never.json') })
      assert.equal(given.open(ring.seal('canary', place), place), 'canary')
      assert.throws(() => statSync(join(folder, 'never.json')), { code: 'ENOENT' })
    })

    test('unusable secrets abort the startup with a one-sentence error that does not contain the secrets', () => {
      for (const text of ['{"ring":"s3cr3t', '{}', '{"installId":"i","auth":[],"ring":[]}', 's3cr3t']) {
        writeFileSync(join(folder, 'bad.json'), text)
        assert.throws(
          () => inFile('bad.json'),
          (error) =>
            error instanceof SecretsError && !error.message.includes('s3cr3t') && error.message.endsWith('.'),
        )
      }
    })
  })

  describe('encrypted values', () => {
    const ring = inFile('ring.json')

    test('an encrypted value begins with the id of its key and is different each time', () => {
      const sealed = ring.seal('canary', place)
      assert.match(sealed, /^k1\.[\w-]{16}\.[\w-]+$/)
      assert.notEqual(ring.seal('canary', place), sealed)
      assert.ok(!sealed.includes('canary'))
      assert.equal(ring.open(ring.seal('', place), place), '')
      assert.equal(ring.open(ring.seal('çà 🚢', place), place), 'çà 🚢')
    })

    test('an encrypted value copied to another table, row, column or organization does not decrypt', () => {
      const sealed = ring.seal('canary', place)
      for (const other of [
        { table: 'model_connections' },
        { id: 'con_2' },
        { column: 'refresh_token' },
        { organizationId: 'x' },
      ] satisfies Partial<SealedPlace>[]) {
        assert.throws(() => ring.open(sealed, { ...place, ...other }), UnreadableError)
      }
    })

    test('an encrypted value that was changed, cut or encrypted with other secrets does not decrypt, and the error does not contain the value', () => {
      const sealed = ring.seal('canary', place)
      const flipped = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`
      const [kid, iv, body = ''] = sealed.split('.')
      const wrong = [
        `k1.${iv}.${Buffer.from(Buffer.from(body, 'base64url').map((b, i) => (i === 0 ? b ^ 1 : b))).toString('base64url')}`,
        `${kid}.${iv}.${body.slice(0, 8)}`,
        `k2.${iv}.${body}`,
        `${sealed}.x`,
        flipped.slice(0, 20),
        'canary',
        '',
      ]
      for (const text of wrong) {
        assert.throws(
          () => ring.open(text, place),
          (error) => error instanceof UnreadableError && !error.message.includes('canary'),
          text,
        )
      }
      assert.throws(() => inFile('another.json').open(sealed, place), UnreadableError)
    })
  })

  test('secrets that do not match the database abort the startup with a one-sentence error, and nothing is written', async () => {
    const database = await testDatabase()
    const now = new Date('2026-11-20T18:00:00.000Z')
    const storedKeys = () => database.db.selectFrom('encryption_keys').selectAll().execute()
    try {
      const secrets = newSecrets()
      await verifyKeyring(database.db, makeKeyring(secrets), now)
      await verifyKeyring(database.db, makeKeyring(secrets), now)
      const noted = await storedKeys()
      assert.deepEqual(
        noted.map((row) => row.kid),
        ['k1'],
      )

      const [foreign] = newSecrets().ring
      assert.ok(foreign)
      for (const ring of [[foreign], [{ ...foreign, id: 'k2' }], [{ ...foreign, id: 'k2' }, foreign]]) {
        await assert.rejects(
          verifyKeyring(database.db, makeKeyring({ ...secrets, ring }), now),
          (error) =>
            error instanceof SecretsError && /encrypted with another key k1: start with/.test(error.message),
        )
      }
      assert.deepEqual(await storedKeys(), noted)

      const rotated = { ...secrets, ring: [{ ...foreign, id: 'k2' }, ...secrets.ring] }
      await verifyKeyring(database.db, makeKeyring(rotated), now)
      assert.equal((await storedKeys()).length, 2)
      const sealed = makeKeyring(secrets).seal('canary', place)
      assert.equal(makeKeyring(rotated).open(sealed, place), 'canary', 'older values stay readable')
      assert.match(makeKeyring(rotated).seal('canary', place), /^k2\./)
    } finally {
      await database.drop()
    }
  })

  describe('derived bytes', () => {
    const [old, young] = newSecrets().ring.concat(newSecrets().ring)
    const secrets = newSecrets()
    assert.ok(old && young)
    const before = makeKeyring({ ...secrets, ring: [old] })
    const rotated = makeKeyring({ ...secrets, ring: [{ ...young, id: 'k2' }, old] })

    test('bytes derived from a secret key are equal for equal input and differ for another text, purpose or installation', () => {
      const { kid, bytes } = before.derive('device-key', 'code')
      assert.equal(kid, 'k1')
      assert.equal(bytes.length, 32)
      assert.deepEqual(before.derive('device-key', 'code'), { kid, bytes })
      for (const other of [
        before.derive('device-key', 'Code'),
        before.derive('other', 'code'),
        makeKeyring(newSecrets()).derive('device-key', 'code'),
      ])
        assert.notDeepEqual(other.bytes, bytes)
    })

    test('bytes derived with an older secret key can be derived again while the keyring still has that key', () => {
      const { kid, bytes } = before.derive('device-key', 'code')
      assert.equal(rotated.derive('device-key', 'code').kid, 'k2')
      assert.deepEqual(rotated.derive('device-key', 'code', kid).bytes, bytes)
      assert.throws(() => before.derive('device-key', 'code', 'k2'), UnreadableError)
    })
  })
})
