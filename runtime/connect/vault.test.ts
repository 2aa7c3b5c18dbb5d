import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openVault } from './vault.ts'

const newKey = () => randomBytes(32).toString('base64url')
const vaultWith = (...keys: string[]) => openVault({ CONNECT_VAULT_KEY: keys.join(' ') })
const ADA = { tier: 'production', userId: 'u_ada', provider: 'github' }

test('a credential can be decrypted only for its person, service and tier, and no two ciphertexts are equal', async () => {
  const vault = vaultWith(newKey())
  const sealed = await vault.seal(ADA, 'gho_secret')
  assert.deepEqual(await vault.open(ADA, sealed), { text: 'gho_secret', isOld: false })
  for (const other of [{ userId: 'u_bob' }, { provider: 'gitlab' }, { tier: 'preview' }])
    assert.equal(await vault.open({ ...ADA, ...other }, sealed), null, JSON.stringify(other))
  const again = await vault.seal(ADA, 'gho_secret')
  assert.notEqual(again, sealed)
  assert.doesNotMatch(`${sealed} ${again}`, /gho_secret/)
})

test('a ciphertext that is altered, truncated or encrypted with a deleted key cannot be decrypted', async () => {
  const vault = vaultWith(newKey())
  const sealed = await vault.seal(ADA, 'secret')
  // Change the character before the last one. The last one has unused bits, so the text might still decode to
  // the same bytes.
  const altered = `${sealed.slice(0, -2)}${sealed.at(-2) === 'A' ? 'B' : 'A'}${sealed.at(-1)}`
  for (const wrong of [altered, sealed.slice(0, -20), '', 'a.b.c', 'no seal'])
    assert.equal(await vault.open(ADA, wrong), null, wrong)
  assert.equal(await vaultWith(newKey()).open(ADA, sealed), null)
})

test('after a key rotation the new key encrypts, and older ciphertexts still decrypt and are reported as old', async () => {
  const [old, fresh] = [newKey(), newKey()]
  const sealed = await vaultWith(old).seal(ADA, 'secret')
  const rotated = vaultWith(fresh, old)
  assert.deepEqual(await rotated.open(ADA, sealed), { text: 'secret', isOld: true })
  const resealed = await rotated.seal(ADA, 'secret')
  assert.deepEqual(await vaultWith(fresh).open(ADA, resealed), { text: 'secret', isOld: false })
  assert.equal(await vaultWith(fresh).open(ADA, sealed), null)
})

test('encrypting a credential fails when no key is configured', () => {
  for (const env of [{}, { CONNECT_VAULT_KEY: '' }])
    assert.throws(() => openVault(env), { code: 'unavailable' })
})
