import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MEDIA_TYPES, sniffMediaType } from './media-type.ts'
import { fileOf } from './testing.ts'

describe('media type detection', () => {
  test('each supported media type is detected from the first bytes of a file', () => {
    for (const type of MEDIA_TYPES) assert.equal(sniffMediaType(fileOf(type)), type)
    assert.equal(sniffMediaType(Buffer.from('GIF87a...')), 'image/gif')
  })

  test('no media type is detected in bytes that are cut short, shifted or of an unsupported type', () => {
    const others = [
      ...MEDIA_TYPES.map((type) => fileOf(type).subarray(0, 2)),
      ...MEDIA_TYPES.map((type) => Buffer.concat([Buffer.from(' '), fileOf(type)])),
      Buffer.from('RIFF....WAVEfmt '),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.from('PK\u0003\u0004'),
      Buffer.alloc(0),
    ]
    for (const bytes of others) assert.equal(sniffMediaType(bytes), null, bytes.toString('latin1'))
  })
})
