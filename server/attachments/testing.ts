import assert from 'node:assert/strict'
import { cloudFetch } from '../cloudflare/fetch.ts'
import type { ApiResponse, Client } from '../testing/app.ts'
import type { CloudApp } from '../releases/testing.ts'
import type { MediaType } from './media-type.ts'
import { sha256Of } from './stored-object.ts'

export interface UploadTicket {
  key: string
  token: string
  uploadUrl: string
  expiresAt: string
}

/** Returns a file that begins with the signature of its type and is padded with `filling`. */
export function fileOf(type: MediaType, sizeBytes = 200, filling = 'x'): Buffer<ArrayBuffer> {
  const starts: Record<MediaType, Buffer> = {
    'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
    'image/jpeg': Buffer.from('ffd8ffe0', 'hex'),
    'image/gif': Buffer.from('GIF89a'),
    'image/webp': Buffer.from('RIFF....WEBP'),
    'application/pdf': Buffer.from('%PDF-1.7\n'),
  }
  const file = Buffer.alloc(sizeBytes, filling)
  starts[type].copy(file)
  return file
}

export const initUpload = (person: Client, path: string, file: Uint8Array, contentType: string) =>
  person.call<UploadTicket>(`POST ${path}/attachments/upload-init`, {
    sha256: sha256Of(file),
    contentType,
    size: file.byteLength,
  })

/** Sends the bytes to the upload worker, as a browser does. Returns the status and the error message. */
export async function putBytes(
  to: { uploadUrl: string; token: string },
  file: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<{ status: number; message: string | undefined }> {
  const answer = await cloudFetch(to.uploadUrl, {
    method: 'PUT',
    headers: { authorization: `Bearer ${to.token}`, 'content-type': contentType },
    body: file,
  })
  const body = (await answer.json()) as { error?: { message: string } }
  return { status: answer.status, message: body.error?.message }
}

export const finalize = (
  person: Client,
  path: string,
  key: string,
): Promise<ApiResponse<{ key: string; mediaType: MediaType }>> =>
  person.call(`POST ${path}/attachments/finalize`, { key })

/** Uploads a file and finalizes it. Returns its key, by which messages name it. */
export async function attach(
  person: Client,
  path: string,
  file: Buffer<ArrayBuffer>,
  contentType: MediaType,
): Promise<string> {
  const { data, error } = await initUpload(person, path, file, contentType)
  assert.equal(error, undefined)
  assert.deepEqual(await putBytes(data, file, contentType), { status: 200, message: undefined })
  const done = await finalize(person, path, data.key)
  assert.deepEqual(done.data, { key: data.key, mediaType: contentType }, String(done.error?.message))
  return data.key
}

/** Sets the test's clock to the machine's time, which the upload worker uses. */
export function setClock(cloud: CloudApp): void {
  const { clock } = cloud.app
  clock.advance(Date.now() - clock.now().getTime())
}
