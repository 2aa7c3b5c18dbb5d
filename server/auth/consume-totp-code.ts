import { createOTP } from '@better-auth/utils/otp'
import { APIError } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Db } from '../db/database.ts'

const TIME_STEP_MS = 30_000
/**
 * The time steps, relative to the current one, whose codes are compared. The library accepts the codes of the previous
 * and the next step, and a further step may have begun since its check.
 */
const STEPS_TRIED = [1, 0, -1, -2]
/** Ten minutes. A stored step that is further ahead of the server's clock is from before the clock was set back, and is ignored. */
const SET_BACK_STEPS = 20

interface CodeUse {
  userId: string
  code: string
  /** Decrypts the authenticator secret, which the library stores encrypted. */
  key: Parameters<typeof symmetricDecrypt>[0]['key']
}

/**
 * Marks an authenticator code as used after the library has verified it. Throws 401 when this code, or a
 * later one, has already opened a session (RFC 6238, section 5.2). Of several simultaneous requests with one
 * code, one succeeds.
 */
export async function consumeTotpCode(db: Db, { userId, code, key }: CodeUse): Promise<void> {
  const { secret } = await db
    .selectFrom('twoFactor')
    .select('secret')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  const otp = createOTP(await symmetricDecrypt({ key, data: secret }))
  const present = Math.floor(Date.now() / TIME_STEP_MS)
  for (const distance of STEPS_TRIED) {
    const step = present + distance
    if (
      (await otp.hotp(step)) === code &&
      (await consumeTimeStep(db, { userId, step, latest: present + SET_BACK_STEPS }))
    )
      return
  }
  throw new APIError('UNAUTHORIZED', {
    code: 'CODE_ALREADY_USED',
    message: 'This code was used already. Sign in again with the next one.',
  })
}

interface TotpStep {
  userId: string
  step: number
  /** Stored steps later than this are ignored, because they are from before the clock was set back. */
  latest: number
}

async function consumeTimeStep(db: Db, { userId, step, latest }: TotpStep): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('twoFactor')
    .set({ lastUsedStep: step })
    .where('userId', '=', userId)
    .where((eb) =>
      eb.or([eb('lastUsedStep', 'is', null), eb('lastUsedStep', '<', step), eb('lastUsedStep', '>', latest)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
