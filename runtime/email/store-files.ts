import { files } from '../files/server.ts'
import { isEnabled } from '../kernel/worker/env.ts'
import { ApiError } from '../kernel/errors.ts'
import type { FileBytes } from './parse.ts'
import type { ReceivedAttachment } from './types.ts'

/**
 * Stores attachments as the app's own files. An empty attachment is not stored, and no attachment is stored
 * while the capability `files` is off. The result of an attachment that is not stored has no `fileId`.
 */
export async function storeFiles(given: readonly FileBytes[]): Promise<ReceivedAttachment[]> {
  const stored: ReceivedAttachment[] = []
  for (const { name, type, bytes } of given) {
    const about = { name, type, size: bytes.length }
    stored.push({
      ...about,
      ...(isEnabled('files') && bytes.length > 0 && (await storeFile({ name, type, bytes }))),
    })
  }
  return stored
}

/** Returns no `fileId` for a file that the settings of the capability `files` do not allow. */
async function storeFile({ name, type, bytes }: FileBytes): Promise<{ fileId?: string }> {
  try {
    return { fileId: (await files.put(bytes, { name, type })).id }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return {}
    throw error
  }
}
