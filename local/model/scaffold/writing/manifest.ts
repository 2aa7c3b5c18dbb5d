import * as z from 'zod'
import { FIELD_FORMATS, FIELD_TYPES } from '../reading/fields.ts'
import type { ToolCall } from './tool-call.ts'

const Field = z.object({
  type: z.enum(FIELD_TYPES),
  required: z.boolean().exactOptional(),
  index: z.boolean().exactOptional(),
  unique: z.boolean().exactOptional(),
  default: z.unknown().exactOptional(),
  max: z.number().exactOptional(),
  values: z.array(z.string()).exactOptional(),
  ref: z.string().exactOptional(),
  as: z.enum(FIELD_FORMATS).exactOptional(),
})

const Collection = z.object({
  title: z.string().exactOptional(),
  fields: z.record(z.string(), Field),
  partition: z.unknown().exactOptional(),
  read: z.unknown().exactOptional(),
  write: z.unknown().exactOptional(),
})

/** The parts of `app.json` that the scaffold reads and writes. It keeps all other parts. */
const ScaffoldManifest = z.looseObject({
  slipway: z.literal(1),
  name: z.string(),
  description: z.string().exactOptional(),
  look: z
    .looseObject({ palette: z.string().exactOptional(), icon: z.string().exactOptional() })
    .exactOptional(),
  uses: z.array(z.string()).exactOptional(),
  pages: z
    .array(
      z.object({
        path: z.string(),
        file: z.string(),
        title: z.string(),
        access: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  collections: z.record(z.string(), Collection).exactOptional(),
  ai: z
    .array(z.object({ task: z.string(), system: z.string(), access: z.string().exactOptional() }))
    .exactOptional(),
  meters: z
    .array(z.object({ key: z.string(), per: z.string(), window: z.string(), limit: z.number() }))
    .exactOptional(),
  schedules: z
    .array(z.object({ name: z.string(), every: z.string().exactOptional(), handler: z.string() }))
    .exactOptional(),
  migrations: z
    .array(
      z.object({
        id: z.string(),
        collection: z.string(),
        steps: z.array(
          z.object({
            op: z.string(),
            field: z.string().exactOptional(),
            to: z.string().exactOptional(),
          }),
        ),
      }),
    )
    .exactOptional(),
})
export type ScaffoldManifest = z.output<typeof ScaffoldManifest>

// Only checks the value. Zod's result has the key order of the schema, but an app keeps the key order of its file.
const isManifest = (value: unknown): value is ScaffoldManifest => ScaffoldManifest.safeParse(value).success

/** Parses the text of an `app.json`. Returns null when it is not a valid manifest. */
export function parseManifest(text: string): ScaffoldManifest | null {
  try {
    const value = JSON.parse(text)
    return isManifest(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the last of these tool calls that writes `app.json`; undefined when there is none. */
export const manifestCall = (calls: readonly ToolCall[]): ToolCall | undefined =>
  calls.findLast(({ args }) => args['path'] === 'app.json')

export function manifestAfter(before: ScaffoldManifest, calls: readonly ToolCall[]): ScaffoldManifest {
  const written = manifestCall(calls)?.args['content']
  return (typeof written === 'string' ? parseManifest(written) : null) ?? before
}
