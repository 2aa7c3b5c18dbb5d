import { IMAGE_WIDTHS } from '@slipway/runtime/bytes/image-widths.ts'
import * as z from 'zod'
import { capability, liveBinding } from '../../capability-declaration/capability.ts'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

export const files = capability({
  key: 'files',
  title: 'File uploads',
  about: 'People upload files to the app and get them back.',
  cost: 'By use. The storage of files, each time one is read or written, and pictures that are made smaller',
  erasure: 'in part.ts',
  settings: z.object({
    maxBytes: z
      .int()
      .min(KIB)
      .max(5 * GIB)
      .default(25 * MIB)
      .meta({
        title: 'Largest file',
        unit: 'bytes',
        examples: [2048],
        description: 'A bigger one is refused before it is sent.',
      }),
    types: z
      .array(
        z.string().regex(/^(\*|[a-z]+)\/(\*|[\w.+-]+)$/, 'must be a media type like image/* or image/png'),
      )
      .min(1)
      .max(50)
      .default(['*/*'])
      .meta({
        title: 'Types that are taken',
        description: 'Media types; */* takes every one.',
      }),
    perUserBytes: z.int().min(KIB).default(GIB).meta({
      title: 'Space of one person',
      unit: 'bytes',
      description: 'What one person may keep in all.',
    }),
    imageWidths: z
      .array(z.literal(IMAGE_WIDTHS))
      .min(1)
      .max(IMAGE_WIDTHS.length)
      .default([...IMAGE_WIDTHS])
      .meta({
        title: 'Widths of pictures',
        examples: [[64, 256]],
        description: `In pixels: small copies, made when a page first asks for them. Of ${IMAGE_WIDTHS.join(', ')}.`,
      }),
  }),
  // Checked only when the capability is changed. A project that enabled files before this rule still has files without
  // accounts; each upload then needs a ticket from the app's server code.
  dependsOn: () => ['auth'],
  // The key prefixes of files, of smaller copies of pictures, and of files that earlier versions stored for the preview.
  bucket: { copiedElsewhere: ['f/', ...IMAGE_WIDTHS.map((width) => `w/${width}/f/`), 'pv/'] },
  bindings: (project, tier) => [liveBinding(project, tier), { type: 'images', name: 'IMAGES' }],
  variables: ({ maxBytes, types, perUserBytes, imageWidths }) => ({
    FILES_MAX_BYTES: String(maxBytes),
    FILES_TYPES: types.join(' '),
    FILES_PER_USER_BYTES: String(perUserBytes),
    FILES_IMAGE_WIDTHS: imageWidths.join(' '),
  }),
})
