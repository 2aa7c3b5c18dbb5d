import { CloudflareError } from '../errors.ts'

/** `find` returns null when the resource does not exist at the provider. */
interface FindOrCreate<T> {
  find: () => Promise<T | null>
  create: () => Promise<T>
}

interface EnsureOptions<T> extends FindOrCreate<T> {
  /** True when the caller has just found that the resource does not exist, which saves one request. */
  wasMissing?: boolean
}

/** Returns the existing resource, or creates it. When a response was lost, searches for the resource before the call is sent again. */
export const ensureResource = async <T>({ wasMissing = false, ...making }: EnsureOptions<T>): Promise<T> =>
  (wasMissing ? null : await making.find()) ?? (await createOnce(making))

/**
 * Creates a resource. When the call fails, returns the resource if it exists. Otherwise throws if the call was clearly
 * refused, and repeats the call once if the outcome is unknown.
 */
export async function createOnce<T>({ find, create }: FindOrCreate<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    // The resource may have been created by this call, whose response was lost, or by another caller.
    const found = await find()
    if (found !== null) return found
    if (error.isClear) throw error
    return await create()
  }
}
