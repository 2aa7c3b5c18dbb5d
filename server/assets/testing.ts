import assert from 'node:assert/strict'
import { putBytes, type UploadTicket } from '../attachments/testing.ts'
import type { Client } from '../testing/app.ts'
import type { Asset } from './asset.ts'

export interface NewAsset {
  path: string
  contentType: string
  bytes: Uint8Array<ArrayBuffer>
}

export const initAsset = (person: Client, project: string, { path, contentType, bytes }: NewAsset) =>
  person.call<UploadTicket>(`POST ${project}/assets/upload-init`, {
    path,
    contentType,
    size: bytes.byteLength,
  })

export const finalizeAsset = (person: Client, project: string, key: string, name?: string) =>
  person.call<Asset>(`POST ${project}/assets/finalize`, { key, ...(name === undefined ? {} : { name }) })

/** The whole way of an asset; answers its record. */
export async function uploadAsset(person: Client, project: string, asset: NewAsset): Promise<Asset> {
  const { data, error } = await initAsset(person, project, asset)
  assert.equal(error, undefined)
  assert.deepEqual(await putBytes(data, asset.bytes, asset.contentType), { status: 200, message: undefined })
  const done = await finalizeAsset(person, project, data.key)
  assert.equal(done.error, undefined)
  return done.data
}

export const textAsset = (path: string, text: string, contentType = 'text/plain'): NewAsset => ({
  path,
  contentType,
  bytes: Buffer.from(text),
})
