import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { DEFAULT_FILE_LIMITS, fileLimitsOf } from './limits.ts'
import { IMAGE_WIDTHS } from '../bytes/image-widths.ts'
import { fileLink } from '../data/file-link.ts'
import { hasSignature, isAllowed, isDisplayableType, mayBeCalled } from './media-type.ts'
import { metadataOf } from './metadata.ts'
import { HmacSigner } from '../kernel/access/hmac-signer.ts'
import { newKey } from '../kernel/secrets.ts'

const latin1Bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const MP4 = latin1Bytes('\0\0\0\u0018ftypisom')
const PNG = latin1Bytes('\u0089PNG\r\n\u001a\n and more')
const PAGE = latin1Bytes('  <script>alert(1)</script>')

describe('the type that a file may have', () => {
  test('an uploaded file of a type with a known file signature must begin with that signature', () => {
    assert.equal(mayBeCalled('image/png', PNG), true)
    for (const start of [latin1Bytes('GIF89a'), PAGE, latin1Bytes(''), PNG.subarray(0, 7)])
      assert.equal(mayBeCalled('image/png', start), false)
    assert.equal(hasSignature('image/webp', latin1Bytes('RIFF\u0012\u0034\0\0WEBP')), true)
    assert.equal(hasSignature('image/webp', latin1Bytes('RIFF\u0012\u0034\0\0WAVE')), false)
  })

  test('a file that begins like an MP4 is accepted as any type with the same signature, such as QuickTime or HEIC', () => {
    for (const type of ['video/mp4', 'video/quicktime', 'audio/mp4', 'audio/x-m4a', 'image/heic'])
      assert.deepEqual([mayBeCalled(type, MP4), mayBeCalled(type, PNG)], [true, false], type)
  })

  test('an uploaded HTML page is not accepted as an image, audio or video', () => {
    for (const type of ['image/tiff', 'audio/mpeg', 'video/x-msvideo', 'image/x-anything'])
      assert.equal(mayBeCalled(type, PAGE), false, type)
    assert.equal(mayBeCalled('audio/mpeg', latin1Bytes('ID3')), true)
    assert.equal(mayBeCalled('text/html', PAGE), true, 'it is only ever downloaded')
  })

  test('a file type that can contain a script is never displayed inline', () => {
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'text/plain',
      '',
      'image/',
      'application/pdf; a',
    ])
      assert.equal(isDisplayableType(type), false, type)
    for (const type of ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'image/avif'])
      assert.equal(isDisplayableType(type), true, type)
  })

  test('a list of allowed upload types may contain full media types, wildcards such as image/*, and */*', () => {
    assert.equal(isAllowed('image/png', ['image/*']), true)
    assert.equal(isAllowed('image/png', ['application/pdf', 'image/png']), true)
    assert.equal(isAllowed('anything/else', ['*/*']), true)
    for (const [type, allowed] of [
      ['image/png', ['image/jpeg']],
      ['images/png', ['image/*']],
      ['image/png', []],
      ['image', ['image/png']],
    ] as const)
      assert.equal(isAllowed(type, allowed), false, type)
  })
})

describe('links to files', () => {
  test('a file link contains collection, record and field, and any id is decoded unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), (id, field) => {
        const url = new URL(fileLink({ collection: 'notes', id, field }), 'http://app.test')
        const [collection, ...rest] = url.pathname
          .slice('/_app/files/in/'.length)
          .split('/')
          .map(decodeURIComponent)
        assert.deepEqual([url.host, collection], ['app.test', 'notes'])
        // Skip `.` and `..`, which `URL` resolves as path segments. No id has this form.
        if (!/^\.{1,2}$/.test(id) && !/^\.{1,2}$/.test(field)) assert.deepEqual(rest, [id, field])
      }),
    )
  })

  test('the team, file, width and download options of a file link are query parameters, and left out when not given', () => {
    const place = { collection: 'notes', id: 'n1', field: 'photo' }
    assert.equal(fileLink(place), '/_app/files/in/notes/n1/photo')
    const url = new URL(
      fileLink({ ...place, partition: 't_1', file: 'f&1', width: 128 }, true),
      'http://app.test',
    )
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      partition: 't_1',
      download: '1',
      file: 'f&1',
      width: '128',
    })
    assert.equal(fileLink({ ...place, file: null }), fileLink(place))
  })

  test('a file name with non-ASCII letters is percent-encoded in the metadata of the bucket object', () => {
    const { customMetadata, httpMetadata } = metadataOf({
      name: 'Grüße 😀.png',
      type: 'image/png',
      ownerId: 'u_1',
    })
    assert.match(customMetadata.name, /^[\w%.-]+$/)
    assert.equal(decodeURIComponent(customMetadata.name), 'Grüße 😀.png')
    assert.deepEqual([httpMetadata.contentType, customMetadata.owner], ['image/png', 'u_1'])
    assert.equal(
      'owner' in metadataOf({ name: 'a', type: 'text/plain', ownerId: null }).customMetadata,
      false,
    )
  })
})

describe('the signature of links and upload tickets', () => {
  const signer = new HmacSigner(newKey())

  test('the signature of a file link is valid only for the text that was signed, and is not valid for an upload', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (text, other) => {
        const signature = await signer.sign('link', text)
        assert.equal(await signer.verify('link', text, signature), true)
        assert.equal(await signer.verify('upload', text, signature), false)
        if (other !== text) assert.equal(await signer.verify('link', other, signature), false)
      }),
      { numRuns: 50 },
    )
  })

  test('a malformed signature, or a signature with another key, is rejected without an exception', async () => {
    const foreign = await new HmacSigner(newKey()).sign('link', 'a')
    const own = await signer.sign('link', 'a')
    for (const signature of [
      foreign,
      '',
      own.slice(1),
      `${own}a`,
      `${own}=`,
      own.replace(/.$/, '!'),
      'é'.repeat(43),
    ])
      assert.equal(await signer.verify('link', 'a', signature), false, signature)
  })

  test('the same secret always creates the same signature, and no two new secrets are equal', async () => {
    const secret = newKey()
    const [one, same] = [new HmacSigner(secret), new HmacSigner(secret)]
    assert.equal(await one.sign('link', 'a'), await same.sign('link', 'a'))
    assert.notEqual(newKey(), secret)
  })
})

describe('the limits of files', () => {
  test('a worker without valid file settings has the default limits', () => {
    assert.deepEqual(fileLimitsOf({}), DEFAULT_FILE_LIMITS)
    for (const wrong of ['', '0', '-1', '1.5', 'many', '1e400'])
      assert.equal(fileLimitsOf({ FILES_MAX_BYTES: wrong }).maxBytes, DEFAULT_FILE_LIMITS.maxBytes, wrong)
    assert.equal(fileLimitsOf({ FILES_PER_USER_BYTES: 5 }).perUserBytes, DEFAULT_FILE_LIMITS.perUserBytes)
  })

  test("the limits of files are read from the worker's variables", () => {
    const limits = fileLimitsOf({
      FILES_MAX_BYTES: '1000',
      FILES_TYPES: 'image/* application/pdf',
      FILES_PER_USER_BYTES: '5000',
      FILES_IMAGE_WIDTHS: '64 256',
    })
    assert.deepEqual(limits, {
      maxBytes: 1000,
      types: ['image/*', 'application/pdf'],
      perUserBytes: 5000,
      imageWidths: [64, 256],
    })
    assert.ok(limits.imageWidths.every((width) => (IMAGE_WIDTHS as readonly number[]).includes(width)))
  })
})
