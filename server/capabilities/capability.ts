import type * as z from 'zod'

/** The spec's twenty-one, in its order, with the name people read. */
export const CAPABILITY_TITLES = {
  auth: 'Accounts and sign-in',
  team: 'Teams',
  data: 'Data and live updates',
  files: 'File uploads',
  assets: 'Assets',
  email: 'Email',
  ai: 'AI',
  pay: 'Payments',
  live: 'Live rooms',
  call: 'Calls',
  schedule: 'Schedules',
  queue: 'Background queue',
  flow: 'Durable flows',
  connect: 'Connected accounts',
  hook: 'Incoming webhooks',
  render: 'Page rendering',
  video: 'Video',
  push: 'Push notifications',
  events: 'Product analytics',
  guard: 'Bot protection',
  meter: 'Usage limits',
} as const

export type CapabilityKey = keyof typeof CAPABILITY_TITLES
export const CAPABILITY_KEYS = Object.keys(CAPABILITY_TITLES) as CapabilityKey[]

/** Something in the connected account that a capability needs; its name is made from the slug, never chosen. */
export interface ResourceSpec {
  kind: 'object_namespace'
  name: string
}

export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  /** What it costs in the connected account, shown before it is switched on. */
  cost: string
  /** Every field carries a title and a description: forms are drawn from it. */
  settings: Settings
  /** Capabilities switched on with it. */
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  resources: (project: { slug: string }) => ResourceSpec[]
  /** Settings as the worker that holds the objects reads them. */
  variables: (settings: z.output<Settings>) => Record<string, string>
}

/** Declares one capability; this value is the only place of the service that describes it. */
export function capability<Settings extends z.ZodObject>(declared: Capability<Settings>): Capability {
  return declared
}

/** The project's one object class lives in this worker; capabilities with an object part share it. */
export const sharedObject = (project: { slug: string }): ResourceSpec => ({
  kind: 'object_namespace',
  name: `${project.slug}-live`,
})

const SEPARATOR = ': '

/** Why provisioning failed, as it is kept in one column: the code clients branch on, then words for people. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${SEPARATOR}${reason.message}`

/** The two parts of a kept reason. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + SEPARATOR.length) }
}
