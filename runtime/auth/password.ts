import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../kernel/errors.ts'

/** A hash takes 16 MiB while it is computed, and an isolate has 128 MiB. */
const AT_ONCE_MAX = 2
const WAITING_MAX = 50
const KEY_BYTES = 32
/** N, r and p of scrypt, as OWASP recommends them for 16 MiB. */
const COST = { N: 16_384, r: 8, p: 5 }

/** A hash that no password has, so that an unknown address takes as long as a known one. */
const NO_PASSWORD = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'00'.repeat(16)}$${'00'.repeat(KEY_BYTES)}`

let running = 0
const waiting: (() => void)[] = []

/** Returns the text to store for a password: `scrypt$N$r$p$salt$hash`, salt and hash in hex. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('hex')}$${key.toString('hex')}`
}

/** Null takes as long as a hash and never matches. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NO_PASSWORD).split('$')
  const key = await derive(password, Buffer.from(salt, 'hex'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(key, Buffer.from(hash, 'hex')) && stored !== null
}

/** Whether a stored hash was made with another cost than new ones. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`scrypt$${COST.N}$${COST.r}$${COST.p}$`)

async function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  await turn()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // Normalized: the same letter typed on another keyboard may arrive as two characters.
      scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) =>
        error === null ? resolve(key) : reject(error),
      )
    })
  } finally {
    running--
    waiting.shift()?.()
  }
}

async function turn(): Promise<void> {
  if (running >= AT_ONCE_MAX) {
    if (waiting.length >= WAITING_MAX)
      throw new ApiError('unavailable', 'Too many people sign in right now. Try again in a moment.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
}
