import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'

/** Computing a hash takes 16 MiB, and an isolate has 128 MiB. */
const HASHES_AT_ONCE = 2
const HASHES_WAITING_MAX = 50
const KEY_BYTES = 32
/** The scrypt parameters that OWASP recommends for 16 MiB. */
const SCRYPT_COST = { N: 16_384, r: 8, p: 5 }

/** A hash that matches no password. It is checked for an unknown address, so that both cases take equally long. */
const NO_PASSWORD = `scrypt$${SCRYPT_COST.N}$${SCRYPT_COST.r}$${SCRYPT_COST.p}$${'00'.repeat(16)}$${'00'.repeat(KEY_BYTES)}`

let runningHashes = 0
const waitingHashes: (() => void)[] = []

/** Returns the text to store for a password: `scrypt$N$r$p$salt$hash`, salt and hash in hex. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveHash(password, salt, SCRYPT_COST)
  return `scrypt$${SCRYPT_COST.N}$${SCRYPT_COST.r}$${SCRYPT_COST.p}$${salt.toString('hex')}$${key.toString('hex')}`
}

/** Returns whether a password matches a stored hash. Without a stored hash it takes equally long and returns false. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NO_PASSWORD).split('$')
  const key = await deriveHash(password, Buffer.from(salt, 'hex'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(key, Buffer.from(hash, 'hex')) && stored !== null
}

/** Returns whether a stored hash was made with other parameters than new hashes. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`scrypt$${SCRYPT_COST.N}$${SCRYPT_COST.r}$${SCRYPT_COST.p}$`)

async function deriveHash(password: string, salt: Buffer, cost: typeof SCRYPT_COST): Promise<Buffer> {
  await acquireHashSlot()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // Normalize, because keyboards encode the same letter as one or as two characters.
      scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) =>
        error === null ? resolve(key) : reject(error),
      )
    })
  } finally {
    runningHashes--
    waitingHashes.shift()?.()
  }
}

async function acquireHashSlot(): Promise<void> {
  if (runningHashes >= HASHES_AT_ONCE) {
    if (waitingHashes.length >= HASHES_WAITING_MAX)
      throw new ApiError('unavailable', 'Too many people are signing in. Try again in a moment.')
    await new Promise<void>((resolve) => waitingHashes.push(resolve))
  }
  runningHashes++
}
