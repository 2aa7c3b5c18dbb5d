import assert from 'node:assert/strict'
import { putBytes, type UploadTicket } from '../../attachments/testing.ts'
import type { Client } from '../../testing/app.ts'
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

/** Spellings of "parent folder". The tests combine each spelling with every separator in `SLASHES`. */
const UPS = [
  '..',
  '.',
  '...',
  '%2e%2e',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '．．',
  '․․',
  '。。',
  '..;',
  '..%00',
  '.. ',
  ' ..',
]
const SLASHES = ['/', '\\', '%2f', '%5c', '／', '＼', '∕', '//', '/./', ':']
const FOLDERS = ['_prompt', '＿prompt', '_PROMPT', '%5fprompt', '_upload', '._prompt/..', './_prompt']

/** More than two hundred paths that lead out of the assets folder. The service must reject all of them. */
export const TRAVERSAL_PATHS: readonly string[] = [
  ...UPS.flatMap((up) => SLASHES.map((slash) => `${up}${slash}_prompt${slash}secret`)),
  ...UPS.flatMap((up) => SLASHES.map((slash) => `img${slash}${up}${slash}_prompt/secret`)),
  ...FOLDERS.flatMap((folder) => ['secret', '../secret', '%2e%2e/x'].map((rest) => `${folder}/${rest}`)),
  '/etc/passwd',
  'C:\\windows',
  'file:///etc/passwd',
  '~/../x',
  '',
  ' ',
  '/',
  '//host/x',
]
