import { beginUpload, finishUpload } from '../../api/uploads/assets.ts'
import { sendUpload } from '../../api/uploads/send-upload.ts'
import type { Candidate } from './upload-check.ts'

/**
 * Uploads one file: requests an upload ticket, sends the bytes to the upload worker and registers the asset.
 */
export async function sendFile(
  projectId: string,
  file: File,
  about: Candidate,
  on: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<void> {
  const begin = () => beginUpload(projectId, about, on.signal)
  const key = await sendUpload(file, about.contentType, begin, on)
  await finishUpload(projectId, key, on.signal)
}
