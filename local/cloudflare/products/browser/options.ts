import * as z from 'zod'

/** The options of the browser binding and its REST API, as far as the local cloud supports them. */

const Event = z.enum(['load', 'domcontentloaded', 'networkidle0', 'networkidle2'])
const Length = z.union([z.string().max(20), z.number()])

const Common = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(4000)
    .optional(),
  html: z
    .string()
    .min(1)
    .max(5 * 1024 * 1024)
    .optional(),
  viewport: z
    .object({
      width: z.number().int().min(1).max(4000),
      height: z.number().int().min(1).max(4000),
      deviceScaleFactor: z.number().min(0.1).max(4).default(1),
      isMobile: z.boolean().default(false),
    })
    .default({ width: 1920, height: 1080, deviceScaleFactor: 1, isMobile: false }),
  gotoOptions: z
    .object({
      timeout: z.number().int().min(1).max(60_000).default(30_000),
      waitUntil: z.union([Event, z.array(Event)]).default('load'),
    })
    .prefault({}),
  userAgent: z.string().max(500).optional(),
  setExtraHTTPHeaders: z.record(z.string(), z.string()).optional(),
  setJavaScriptEnabled: z.boolean().default(true),
  allowRequestPattern: z.array(z.string().max(500)).max(100).optional(),
  rejectRequestPattern: z.array(z.string().max(500)).max(100).optional(),
})
export type CommonOptions = z.output<typeof Common>

const Margin = z.object({
  top: Length.optional(),
  right: Length.optional(),
  bottom: Length.optional(),
  left: Length.optional(),
})

export const PdfOptions = Common.extend({
  pdfOptions: z
    .object({
      format: z.string().max(10).default('letter'),
      width: Length.optional(),
      height: Length.optional(),
      landscape: z.boolean().default(false),
      printBackground: z.boolean().default(false),
      preferCSSPageSize: z.boolean().default(false),
      scale: z.number().min(0.1).max(2).default(1),
      margin: Margin.default({}),
      pageRanges: z.string().max(100).default(''),
    })
    .prefault({}),
})

export const ScreenshotOptions = Common.extend({
  screenshotOptions: z
    .object({
      type: z.enum(['png', 'jpeg', 'webp']).default('png'),
      quality: z.number().int().min(0).max(100).optional(),
      fullPage: z.boolean().default(false),
      omitBackground: z.boolean().default(false),
    })
    .prefault({}),
})

export const ContentOptions = Common

const PIXELS_PER_INCH = 96
const INCHES_PER_UNIT = new Map([
  ['in', 1],
  ['cm', 1 / 2.54],
  ['mm', 1 / 25.4],
])
const PAPER_FORMATS = new Map<string, [number, number]>([
  ['letter', [8.5, 11]],
  ['legal', [8.5, 14]],
  ['tabloid', [11, 17]],
  ['a2', [16.54, 23.4]],
  ['a3', [11.7, 16.54]],
  ['a4', [8.27, 11.7]],
  ['a5', [5.83, 8.27]],
  ['a6', [4.13, 5.83]],
])

/** Returns a length in inches. A length without a known unit is in pixels. Returns `fallback` for a string that is not a length. */
export function lengthInInches(length: string | number | undefined, fallback: number): number {
  if (length === undefined) return fallback
  const text = String(length).trim().toLowerCase()
  const [, count, unit = ''] = /^(\d+\.?\d*|\.\d+)\s*([a-z]+)?$/.exec(text) ?? []
  return count === undefined ? fallback : Number(count) * (INCHES_PER_UNIT.get(unit) ?? 1 / PIXELS_PER_INCH)
}

/** Returns width and height in inches; for an unknown format, the size of Letter. */
export function paperSize(format: string): [number, number] {
  return PAPER_FORMATS.get(format.toLowerCase()) ?? [8.5, 11]
}
