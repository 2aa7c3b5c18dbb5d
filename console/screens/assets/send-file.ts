import { beginUpload, finishUpload } from '../../api/uploads/assets.ts'
import { sendUpload } from '../../api/uploads/send-upload.ts'
import type { Candidate } from './upload-check.ts'

/** Uploads one file: a ticket, its bytes straight to the account's upload worker, and then it is an asset. */
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
