import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { ConnectionError } from '@slipway/sdk/errors.ts'
import { sendDownload } from '../request/client.ts'
import { ExportCheck } from './export-check.ts'

export interface ExportProgress {
  bytes: number
  lines: number
}

export interface AccountExport extends ExportProgress {
  file: Blob
  /** The number of lines by kind, such as `ticket`, as the last line of the export states it. */
  counts: Record<string, number>
}

/** Thrown when the export ended before its last line, or when the counts in that line do not match. The file is not a full copy. */
export class IncompleteExportError extends Error {
  override readonly name = 'IncompleteExportError'
}

/**
 * Once the collected pieces have this many bytes, they are put into a Blob. The browser may keep a Blob on disk, so a
 * long export does not fill the memory.
 */
const BLOB_PIECE_BYTES = 8_000_000

/** Downloads everything the organization has. Throws `IncompleteExportError` unless the file is complete. */
export async function exportAccount(
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<AccountExport> {
  // Use `response`: `data` is a stream here, but its generated type is string.
  const { response } = await api.exportAccount({ parseAs: 'stream', signal, fetch: sendDownload })
  const check = new ExportCheck()
  const blobs: Blob[] = []
  let piece: Uint8Array<ArrayBuffer>[] = []
  let [pieceBytes, bytes] = [0, 0]
  const reader = response?.body?.getReader()
  if (reader === undefined) throw new IncompleteExportError('The response is empty.')
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      check.take(value)
      piece.push(value)
      pieceBytes += value.byteLength
      bytes += value.byteLength
      if (pieceBytes >= BLOB_PIECE_BYTES) {
        blobs.push(new Blob(piece))
        ;[piece, pieceBytes] = [[], 0]
      }
      onProgress({ bytes, lines: check.lines })
    }
  } catch (cause) {
    signal.throwIfAborted()
    // When the connection is lost after the first bytes, the file is only a part.
    if (bytes > 0) throw new IncompleteExportError('The connection ended before the last line.', { cause })
    throw new ConnectionError('The service did not answer.', { cause })
  }
  const counts = check.end()
  if (counts === null)
    throw new IncompleteExportError('The last line is missing, or its counts do not match.')
  const file = new Blob([...blobs, ...piece], { type: 'application/x-ndjson' })
  return { file, bytes, lines: check.lines, counts }
}
