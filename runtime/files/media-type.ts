/** The first bytes of files of each type; null matches any byte. */
const TYPE_SIGNATURES: readonly (readonly [type: string, start: readonly (number | null)[]])[] = [
  ['image/png', [0x89, ...asciiCodes('PNG'), 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', asciiCodes('GIF87a')],
  ['image/gif', asciiCodes('GIF89a')],
  ['image/webp', [...asciiCodes('RIFF'), null, null, null, null, ...asciiCodes('WEBP')]],
  ['image/bmp', asciiCodes('BM')],
  ['image/avif', [null, null, null, null, ...asciiCodes('ftypavi')]],
  ['application/pdf', asciiCodes('%PDF-')],
  ['application/zip', asciiCodes('PK\u0003\u0004')],
  ['application/gzip', [0x1f, 0x8b]],
  ['audio/wav', [...asciiCodes('RIFF'), null, null, null, null, ...asciiCodes('WAVE')]],
  ['audio/ogg', asciiCodes('OggS')],
  ['audio/flac', asciiCodes('fLaC')],
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['video/mp4', [null, null, null, null, ...asciiCodes('ftyp')]],
]

/** Types whose files begin like files of another type. */
const EQUIVALENT_TYPES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'video/quicktime': 'video/mp4',
  'audio/mp4': 'video/mp4',
  'audio/x-m4a': 'video/mp4',
  'image/heic': 'video/mp4',
  'audio/x-wav': 'audio/wav',
  'audio/webm': 'video/webm',
  'video/ogg': 'audio/ogg',
  'application/x-gzip': 'application/gzip',
}

function asciiCodes(text: string): number[] {
  return Array.from(text, (char) => char.charCodeAt(0))
}

export const START_BYTES = 4096

/** Returns whether a file begins with the signature of this type. Returns false for a type without a known signature. */
export const hasSignature = (type: string, start: Uint8Array): boolean =>
  TYPE_SIGNATURES.some(
    ([known, signature]) =>
      known === type && signature.every((byte, index) => byte === null || start[index] === byte),
  )

const hasKnownSignature = (type: string): boolean => TYPE_SIGNATURES.some(([known]) => known === type)

/**
 * Returns whether a file may have this type, by its first bytes. A file of a type with a known signature must begin with that signature.
 * A file of any other type that browsers show must not begin with `<`, as an HTML page does. Other files are only downloaded, so their
 * content may be anything.
 */
export function mayBeCalled(type: string, start: Uint8Array): boolean {
  const own = EQUIVALENT_TYPES[type] ?? type
  if (hasKnownSignature(own)) return hasSignature(own, start)
  return !isDisplayableType(type) || !/^\s*</.test(new TextDecoder('latin1').decode(start.subarray(0, 256)))
}

/** Returns whether browsers show files of this type; other files are downloaded. None of these types can run a script. */
export const isDisplayableType = (type: string): boolean =>
  /^(?:audio|video)\/[\w.+-]+$|^image\/(?!svg)[\w.+-]+$|^application\/pdf$/.test(type)

/** Returns whether a type matches an entry of `allowed`, such as `image/*` or `application/pdf`. */
export const isAllowed = (type: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => {
    const [kind, name] = one.split('/')
    const [ownKind, ownName] = type.split('/')
    return (kind === '*' || kind === ownKind) && (name === '*' || name === ownName)
  })
