import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import * as z from 'zod'
import { ICON_NAMES } from './look/icons.ts'
import { PALETTE_NAMES } from './look/palettes.ts'
import {
  capabilityOf,
  type DeclaredEvent,
  type DeclaredFlow,
  type DeclaredHook,
  type DeclaredMeter,
  type DeclaredProvider,
  type DeclaredQueue,
  type DeclaredRoom,
  type DeclaredTask,
} from '../../capability-catalog/catalog.ts'

const NAME_PATTERN = /^[a-z][A-Za-z0-9]{0,39}$/
const RESERVED_COLLECTIONS = ['search', 'socket', 'mutate']
// `partition` is reserved because a record that an operator reads has a property of this name in addition to its fields.
const RESERVED_FIELDS = ['id', 'ownerId', 'rev', 'createdAt', 'updatedAt', 'partition']

const Identifier = z
  .string()
  .regex(NAME_PATTERN, 'must begin with a small letter and have at most 40 letters and digits')
const CollectionName = Identifier.refine((name) => !RESERVED_COLLECTIONS.includes(name), 'is a reserved name')
// A record without such a field inherits a function of this name, so TypeScript refuses it.
const FieldName = Identifier.refine((name) => !RESERVED_FIELDS.includes(name), 'is a reserved name').refine(
  (name) => !(name in Object.prototype),
  'is a name that every JavaScript object has: give the field another one',
)
const ShortText = z.string().min(1).max(60)
const Access = z.enum(['nobody', 'public', 'members', 'owner', 'team', 'staff'])

const Field = z.strictObject({
  type: z.enum(['text', 'number', 'integer', 'boolean', 'date', 'enum', 'ref', 'file', 'json', 'list']),
  title: ShortText.optional(),
  help: z.string().min(1).max(200).optional(),
  required: z.boolean().optional(),
  index: z.boolean().optional(),
  unique: z.boolean().optional(),
  search: z.boolean().optional(),
  similar: z.boolean().optional(),
  default: z.json().optional(),
  max: z.number().positive().optional(),
  values: z.array(z.string().min(1).max(60)).min(1).max(50).optional(),
  ref: z.string().optional(),
  onRemove: z.enum(['refuse', 'clear', 'cascade']).optional(),
  as: z.enum(['long', 'email', 'url']).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is a code of three capitals, such as "EUR"')
    .optional(),
})

const Collection = z.strictObject({
  title: ShortText.optional(),
  partition: z.enum(['app', 'user', 'team']),
  fields: z
    .record(FieldName, Field)
    .refine((fields) => Object.keys(fields).length <= 64, 'has more than 64 fields'),
  read: Access.optional(),
  write: Access.optional(),
})

const Page = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(
      /^\/(?:(?::[a-z][A-Za-z0-9]*|[A-Za-z0-9._~-]+)(?:\/(?!$)|$))*$/,
      'must be a path like /plants or /plants/:id',
    ),
  file: z
    .string()
    .regex(/^(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.tsx$/, 'must be a file of web/pages/ like "Plants.tsx"'),
  title: ShortText,
  access: z.enum(['public', 'members', 'staff']).optional(),
})

const Step = z.strictObject({
  op: z.enum(['rename', 'default', 'convert', 'drop']),
  field: z.string().optional(),
  to: z.string().optional(),
  value: z.json().optional(),
  as: z.string().optional(),
})

const Migration = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/),
  collection: z.string(),
  steps: z.array(Step).min(1).max(20),
})

const Base = z.strictObject({
  slipway: z.literal(1),
  name: ShortText,
  description: z.string().min(1).max(160).optional(),
  look: z
    .strictObject({ palette: z.enum(PALETTE_NAMES).optional(), icon: z.enum(ICON_NAMES).optional() })
    .optional(),
  pages: z.array(Page).max(100).default([]),
  collections: z
    .record(CollectionName, Collection)
    .refine((collections) => Object.keys(collections).length <= 50, 'has more than 50 collections')
    .default({}),
  uses: z.array(z.enum(CAPABILITY_KEYS)).default([]),
  migrations: z.array(Migration).default([]),
})

const CAPABILITY_FIELDS: Record<string, z.ZodType> = Object.assign(
  {},
  ...CAPABILITY_KEYS.map((key) => capabilityOf(key).manifest),
)

/** The schema of `app.json` with the fields of all capabilities. `useIssues` rejects a field whose capability is not in `uses`. */
// The type lacks the fields of capabilities: `useIssues` reads these fields by name, and `CapabilityFields` types the
// fields that other code reads.
export const ManifestSchema = Base.extend(CAPABILITY_FIELDS) as typeof Base

/** The fields of capabilities that have a type, because code other than `useIssues` reads them. */
interface CapabilityFields {
  ai?: DeclaredTask[] | undefined
  events?: DeclaredEvent[] | undefined
  providers?: DeclaredProvider[] | undefined
  hooks?: DeclaredHook[] | undefined
  mailboxes?: { collection: string; handler?: string | undefined }[] | undefined
  meters?: DeclaredMeter[] | undefined
  queues?: DeclaredQueue[] | undefined
  flows?: DeclaredFlow[] | undefined
  roles?: string[] | undefined
  rooms?: DeclaredRoom[] | undefined
  schedules?: DeclaredSchedule[] | undefined
}

/** Exactly one of `every` and `cron` is set. */
export interface DeclaredSchedule {
  name: string
  every?: string | undefined
  cron?: string | undefined
  timezone?: string | undefined
  handler: string
  retries?: number | undefined
}

export type Manifest = z.infer<typeof Base> & CapabilityFields
export type CollectionDeclaration = z.infer<typeof Collection>
export type FieldDeclaration = z.infer<typeof Field>
export type MigrationDeclaration = z.infer<typeof Migration>
