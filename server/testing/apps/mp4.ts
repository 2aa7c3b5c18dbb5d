/** Returns an MP4 file of this duration without any picture, which is enough to read the duration. */
export function mp4(seconds: number): Uint8Array<ArrayBuffer> {
  const encodeBox = (type: string, content: Uint8Array) => {
    const bytes = Buffer.alloc(8 + content.byteLength)
    bytes.writeUInt32BE(bytes.byteLength)
    bytes.write(type, 4, 'latin1')
    bytes.set(content, 8)
    return bytes
  }
  const header = Buffer.alloc(100)
  header.writeUInt32BE(1000, 12)
  header.writeUInt32BE(seconds * 1000, 16)
  const all = [
    encodeBox('ftyp', Buffer.from('isom0000')),
    encodeBox('moov', encodeBox('mvhd', header)),
    encodeBox('mdat', Buffer.alloc(64)),
  ]
  return new Uint8Array(Buffer.concat(all))
}
