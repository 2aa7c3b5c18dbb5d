import { CloudflareError } from './errors.ts'

/** `find` returns null when it does not exist at the provider. */
interface Making<T> {
  find: () => Promise<T | null>
  create: () => Promise<T>
}

interface Ensured<T> extends Making<T> {
  /** The caller has just looked, so `ensure` does not look again. */
  wasMissing?: boolean
}

/** Returns what exists, or creates it. After a lost response it checks before sending the call again. */
export const ensure = async <T>({ wasMissing = false, ...making }: Ensured<T>): Promise<T> =>
  (wasMissing ? null : await making.find()) ?? (await createOnce(making))

/** Sends a creating call, and once more only when it is known that the first one created nothing. */
export async function createOnce<T>({ find, create }: Making<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    // Created by the lost request or by another call meanwhile.
    const found = await find()
    if (found !== null) return found
    if (error.isClear) throw error
    return await create()
  }
}
