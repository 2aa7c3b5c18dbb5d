import { files } from '../files/server.ts'
import { isEnabled } from '../kernel/env.ts'
import { ApiError } from '../kernel/errors.ts'
import type { FileBytes } from './parse.ts'
import type { ReceivedAttachment } from './types.ts'

/** Files become the app's own. Only their names are returned while the capability files is off. */
export async function storeFiles(given: readonly FileBytes[]): Promise<ReceivedAttachment[]> {
  const stored: ReceivedAttachment[] = []
  for (const { name, type, bytes } of given) {
    const about = { name, type, size: bytes.length }
    stored.push({
      ...about,
      ...(isEnabled('files') && bytes.length > 0 && (await store({ name, type, bytes }))),
    })
  }
  return stored
}

/** A file that the settings of files do not allow is left out; its name stays. */
async function store({ name, type, bytes }: FileBytes): Promise<{ fileId?: string }> {
  try {
    return { fileId: (await files.put(bytes, { name, type })).id }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return {}
    throw error
  }
}
